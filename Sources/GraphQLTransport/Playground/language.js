"use strict";

// The lexical grammar of GraphQL, as far as an editor needs it: it never fails, since what is typed is seldom whole.
const graphQLToken = /(?<space>[\s,\uFEFF]+)|(?<comment>#[^\n\r]*)|(?<block>"""(?:\\"""|[^])*?(?:"""|$))|(?<string>"(?:\\.|[^"\\\n\r])*"?)|(?<variable>\$[_A-Za-z]?\w*)|(?<directive>@[_A-Za-z]?\w*)|(?<name>[_A-Za-z]\w*)|(?<number>-?\d[\d.eE+-]*)|(?<spread>\.\.\.)|(?<mark>[^])/gy;

function tokenize(text) {
  const tokens = [];
  for (const match of text.matchAll(graphQLToken)) {
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    tokens.push({ kind, text: match[0], start: match.index, end: match.index + match[0].length });
  }
  return tokens;
}

const isMeaningful = (token) => token.kind !== "space" && token.kind !== "comment";
const escapeHTML = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

const operationKeywords = new Set(["query", "mutation", "subscription", "fragment", "on", "true", "false", "null"]);
const simpleClasses = { comment: "c", block: "s", string: "s", variable: "v", directive: "k", number: "n", spread: "k" };

// A class for each token: a name's colour depends on where it stands.
function classify(tokens) {
  const brackets = [];
  let previous = null;
  tokens.forEach((token, index) => {
    if (!isMeaningful(token)) { token.style = simpleClasses[token.kind]; return; }
    token.style = simpleClasses[token.kind];
    if (token.kind === "mark") {
      if ("({[".includes(token.text)) brackets.push({ token, inValue: brackets.at(-1)?.inValue || token.text === "(" });
      if (")}]".includes(token.text)) {
        const open = brackets.pop();
        if (open) { token.match = open.token; open.token.match = token; }
      }
    } else if (token.kind === "name") {
      const next = tokens.slice(index + 1).find(isMeaningful)?.text;
      const inValue = brackets.at(-1)?.inValue;
      if (!brackets.length && operationKeywords.has(token.text)) token.style = "k";
      else if (!brackets.length) token.style = previous?.text === "on" ? "t" : "f";
      else if (inValue) token.style = next === ":" ? "a" : operationKeywords.has(token.text) ? "k" : "t";
      else if (previous?.kind === "spread") token.style = token.text === "on" ? "k" : "f";
      else token.style = previous?.text === "on" ? "t" : "f";
    }
    previous = token;
  });
  return tokens;
}

const jsonToken = /("(?:\\.|[^"\\])*"?)(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b|[^"\d\-tfn]+|[^]/g;

function classifyJSON(text) {
  const tokens = [];
  for (const match of text.matchAll(jsonToken)) {
    const start = match.index;
    if (match[1]) {
      const end = start + match[1].length;
      tokens.push({ text: match[1], start, end, style: match[2] ? "f" : "s" });
      if (match[2]) tokens.push({ text: match[2], start: end, end: end + match[2].length });
    } else {
      tokens.push({ text: match[0], start, end: start + match[0].length, style: match[3] ? "n" : match[4] ? "k" : undefined });
    }
  }
  return tokens;
}

// The tokens as HTML; `marks` are the offsets of errors.
function highlight(tokens, marks = [], matched = []) {
  return tokens.map((token) => {
    const classes = [token.style];
    if (marks.some((offset) => offset >= token.start && offset < token.end)) classes.push("w");
    if (matched.includes(token)) classes.push("b");
    const text = escapeHTML(token.text);
    const names = classes.filter(Boolean).join(" ");
    return names ? `<span class="${names}">${text}</span>` : text;
  }).join("");
}

// The operations of a document, in order.
function operationsOf(text) {
  const tokens = tokenize(text).filter(isMeaningful);
  const operations = [];
  let depth = 0, definition = null;
  tokens.forEach((token, index) => {
    if (token.kind === "mark" && "({[".includes(token.text)) {
      if (depth === 0 && token.text === "{" && !definition) operations.push({ type: "query", name: null, start: token.start });
      depth += 1;
    } else if (token.kind === "mark" && ")}]".includes(token.text)) {
      depth -= 1;
      if (depth === 0 && token.text === "}") definition = null;
    } else if (depth === 0 && !definition && token.kind === "name") {
      definition = token.text;
      if (["query", "mutation", "subscription"].includes(token.text)) {
        const next = tokens[index + 1];
        operations.push({ type: token.text, name: next?.kind === "name" ? next.text : null, start: token.start });
      }
    }
  });
  return operations;
}

// Indents by brackets and keeps comments; what cannot be understood stays in its order.
function formatQuery(text) {
  const tokens = tokenize(text).filter((token) => token.kind !== "space");
  let out = "", depth = 0, inParentheses = 0, previous = null;
  const line = () => { out = out.replace(/[ \t]+$/, "") + "\n" + "  ".repeat(Math.max(0, depth)); };
  for (const token of tokens) {
    const gap = text.slice(previous?.end ?? 0, token.start);
    if (token.kind === "comment") {
      if (previous && gap.includes("\n")) line(); else if (previous) out += " ";
      out += token.text;
    } else if (token.text === "{" && !inParentheses) {
      out += (previous && !/\s$/.test(out) ? " " : "") + "{"; depth += 1;
    } else if (token.text === "}" && !inParentheses) {
      depth -= 1; line(); out += "}";
      if (depth === 0) out += "\n";
    } else {
      const tight = previous && (/^[(!:)\]}]$/.test(token.text) || /^[([]$/.test(previous.text)) && previous.kind !== "comment";
      if (!inParentheses && previous && depth > 0 && startsSelection(token, previous)) line();
      else if (!inParentheses && previous && depth === 0 && previous.text === "}") line();
      else if (previous?.kind === "comment") line();
      else if (inParentheses && previous && gap.includes(",") ) out += ", ";
      else if (previous && !(tight && token.text !== "{") && previous.kind !== "spread") out += " ";
      else if (previous?.kind === "spread" && token.text === "on") out += " ";
      out += token.text;
      if (token.text === "(") inParentheses += 1;
      if (token.text === ")") inParentheses -= 1;
    }
    previous = token;
  }
  return out.replace(/[ \t]+$/gm, "").trim() + "\n";
}

function startsSelection(token, previous) {
  if (token.kind === "spread") return true;
  return token.kind === "name" && previous.text !== ":" && previous.kind !== "spread" && previous.text !== "on" || (token.kind === "name" && previous.text === "{");
}
