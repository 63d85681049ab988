// A text area whose own text is transparent, over the same text in colours. So selection, undo, spelling of the keyboard
// and screen readers work as in any text area.
class Editor {
  constructor(host, { label, language, value = "", onChange = () => {}, complete = null }) {
    this.language = language;
    this.onChange = onChange;
    this.source = complete;
    this.errors = [];
    this.gutter = Object.assign(document.createElement("div"), { className: "gutter", ariaHidden: "true" });
    this.view = Object.assign(document.createElement("pre"), { ariaHidden: "true" });
    this.area = Object.assign(document.createElement("textarea"), { value, spellcheck: false, autocapitalize: "off", autocomplete: "off", wrap: "off" });
    this.area.setAttribute("autocorrect", "off");
    this.area.setAttribute("aria-label", label);
    this.popup = Object.assign(document.createElement("ul"), { className: "popup", hidden: true, role: "listbox", id: host.id + "-completions" });
    this.popup.setAttribute("aria-label", "Completions");
    const code = Object.assign(document.createElement("div"), { className: "code" });
    code.append(this.view, this.area, this.popup);
    host.append(this.gutter, code);
    if (complete) { this.area.setAttribute("aria-autocomplete", "list"); this.area.setAttribute("aria-controls", this.popup.id); }
    host.addEventListener("mousedown", (event) => { if (event.target === host) { event.preventDefault(); this.area.focus(); } });
    this.area.addEventListener("input", () => this.changed());
    this.area.addEventListener("keydown", (event) => this.pressed(event));
    this.area.addEventListener("blur", () => this.closePopup());
    this.area.addEventListener("click", () => this.closePopup());
    document.addEventListener("selectionchange", () => { if (document.activeElement === this.area) this.paint(); });
    this.popup.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const item = event.target.closest("li");
      if (item) this.accept(this.items[item.dataset.index]);
    });
    this.paint();
  }

  get value() { return this.area.value; }
  set value(text) { this.area.value = text; this.errors = []; this.paint(); this.onChange(); }

  // `errors`: [{ line, column, message }], both from 1.
  showErrors(errors) { this.errors = errors; this.paint(); }

  offsetOf({ line, column }) {
    const lines = this.value.split("\n");
    return lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
  }

  goTo(location) {
    const offset = this.offsetOf(location);
    this.area.focus();
    this.area.setSelectionRange(offset, offset);
  }

  changed() {
    this.errors = [];
    this.paint();
    this.onChange();
    const before = this.value.slice(0, this.area.selectionStart);
    if (this.source && /[\w$@]$/.test(before) && !/(^|\s)-?\d\w*$/.test(before)) this.openPopup(true); else this.closePopup();
  }

  paint() {
    const tokens = this.language === "json" ? classifyJSON(this.value) : classify(tokenize(this.value));
    const at = this.area.selectionStart;
    const near = document.activeElement === this.area ? tokens.filter((t) => t.match && (t.start === at || t.end === at)).slice(-1) : [];
    this.view.innerHTML = highlight(tokens, this.errors.map((e) => this.offsetOf(e)), near.flatMap((t) => [t, t.match])) + "\n";
    const bad = new Set(this.errors.map((error) => error.line));
    this.gutter.innerHTML = this.value.split("\n").map((_, i) => bad.has(i + 1) ? `<span class="bad">${i + 1}</span>` : i + 1).join("\n");
  }

  // Through the browser's own editing, so that undo knows it.
  insert(text, from = this.area.selectionStart, to = this.area.selectionEnd) {
    this.area.setSelectionRange(from, to);
    if (!document.execCommand("insertText", false, text)) { this.area.setRangeText(text, from, to, "end"); this.changed(); }
  }

  pressed(event) {
    const isOpen = !this.popup.hidden;
    if (event.key === " " && event.ctrlKey) { event.preventDefault(); this.openPopup(false); return; }
    if (isOpen && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      this.select((this.chosen + (event.key === "ArrowDown" ? 1 : this.items.length - 1)) % this.items.length);
    } else if (isOpen && (event.key === "Enter" || event.key === "Tab") && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.accept(this.items[this.chosen]);
    } else if (isOpen && event.key === "Escape") {
      event.preventDefault();
      this.closePopup();
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      const before = this.value.slice(0, this.area.selectionStart), after = this.value.slice(this.area.selectionEnd);
      const indent = before.slice(before.lastIndexOf("\n") + 1).match(/^[ \t]*/)[0];
      const opens = /[{([]\s*$/.test(before);
      this.insert("\n" + indent + (opens ? "  " : ""));
      if (opens && /^\s*[})\]]/.test(after)) {
        const at = this.area.selectionStart;
        this.insert("\n" + indent);
        this.area.setSelectionRange(at, at);
      }
    } else if ("{([".includes(event.key) && this.area.selectionStart === this.area.selectionEnd && /^(\s|[)}\]]|$)/.test(this.value.slice(this.area.selectionEnd))) {
      event.preventDefault();
      this.insert(event.key + { "{": "}", "(": ")", "[": "]" }[event.key]);
      this.area.setSelectionRange(this.area.selectionStart - 1, this.area.selectionStart - 1);
    } else if ("})]".includes(event.key) && event.key.length === 1 && this.value[this.area.selectionStart] === event.key && this.area.selectionStart === this.area.selectionEnd) {
      event.preventDefault();
      this.area.setSelectionRange(this.area.selectionStart + 1, this.area.selectionStart + 1);
    }
  }

  openPopup(whileTyping) {
    const found = this.source?.(this.value, this.area.selectionStart);
    const isDone = whileTyping && found?.items.length === 1 && found.items[0].label === found.prefix;
    if (!found || !found.items.length || isDone) return this.closePopup();
    this.items = found.items;
    this.prefix = found.prefix;
    this.popup.innerHTML = this.items.map((item, index) =>
      `<li role="option" id="${this.popup.id}-${index}" data-index="${index}"><span class="${item.isOld ? "old" : ""}">${escapeHTML(item.label)}</span><i>${escapeHTML(item.detail)}</i></li>`).join("");
    this.popup.hidden = false;
    this.select(0);
    const before = this.value.slice(0, this.area.selectionStart - this.prefix.length);
    const line = before.split("\n").length, column = before.length - before.lastIndexOf("\n") - 1;
    this.popup.style.top = `${8 + line * 20}px`;
    this.popup.style.left = `calc(${column}ch + 6px)`;
  }

  select(index) {
    this.chosen = index;
    [...this.popup.children].forEach((item, i) => item.setAttribute("aria-selected", i === index));
    this.area.setAttribute("aria-activedescendant", `${this.popup.id}-${index}`);
    const item = this.popup.children[index];
    this.popup.scrollTop = Math.max(item.offsetTop + item.offsetHeight - this.popup.clientHeight, Math.min(this.popup.scrollTop, item.offsetTop));
  }

  accept(item) {
    const end = this.area.selectionStart;
    this.insert(item.insert ?? item.label, end - this.prefix.length, end);
    this.closePopup();
  }

  closePopup() {
    this.popup.hidden = true;
    this.area.removeAttribute("aria-activedescendant");
  }
}
