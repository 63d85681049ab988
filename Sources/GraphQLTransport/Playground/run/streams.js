// @ts-check

/**
 * The texts of a body as they arrive, with the bytes received since the text before.
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<{ text: string, bytes: number }>}
 */
async function* texts(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      yield { text: decoder.decode(value, { stream: true }), bytes: value.byteLength };
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * The JSON parts of a multipart/mixed body. RFC 2046, 5.1.1 Common Syntax
 * @param {ReadableStream<Uint8Array>} body @param {string} contentType
 * @returns {AsyncGenerator<{ value: any, bytes: number }>}
 */
export async function* multipartParts(body, contentType) {
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1] ?? "-";
  const delimiter = `\r\n--${boundary}`;
  let text = "\r\n";
  let bytes = 0;
  for await (const chunk of texts(body)) {
    text += chunk.text;
    bytes += chunk.bytes;
    for (let end = text.indexOf(delimiter); end >= 0; end = text.indexOf(delimiter)) {
      const part = text.slice(0, end);
      text = text.slice(end + delimiter.length);
      const content = part.indexOf("\r\n\r\n");
      if (content < 0) continue;
      const json = part.slice(content + 4).trim();
      if (json) yield { value: JSON.parse(json), bytes };
      bytes = 0;
    }
  }
}

/**
 * The events of a text/event-stream body. HTML, 9.2.6 Interpreting an event stream
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<{ event: string, data: string, id: string | null, bytes: number }>}
 */
export async function* serverSentEvents(body) {
  let text = "";
  let event = "message", id = null, bytes = 0;
  /** @type {string[]} */
  let data = [];
  for await (const chunk of texts(body)) {
    text += chunk.text;
    bytes += chunk.bytes;
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    text = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (data.length || event !== "message") yield { event, data: data.join("\n"), id, bytes };
        event = "message";
        data = [];
        bytes = 0;
        continue;
      }
      const colon = line.indexOf(":");
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (field === "event") event = value;
      else if (field === "data") data.push(value);
      else if (field === "id") id = value;
    }
  }
}
