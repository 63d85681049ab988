// @ts-check

/**
 * ` Did you mean "a", "b", or "c"?`, five suggestions at most; empty without one.
 * @param {string[]} suggestions
 * @param {string} [subject]
 */
export function didYouMean(suggestions, subject = "") {
  const quoted = suggestions.slice(0, 5).map((suggestion) => `"${suggestion}"`);
  const start = subject ? ` Did you mean ${subject} ` : " Did you mean ";
  if (quoted.length === 0) return "";
  if (quoted.length < 3) return `${start}${quoted.join(" or ")}?`;
  return `${start}${quoted.slice(0, -1).join(", ")}, or ${quoted[quoted.length - 1]}?`;
}

/**
 * The options that `input` may be a misspelling of, the nearest first.
 * @param {string} input
 * @param {string[]} options
 */
export function suggestionList(input, options) {
  const word = input.toLowerCase(), threshold = Math.floor(input.length * 0.4) + 1;
  /** @type {{ option: string, distance: number }[]} */
  const found = [];
  for (const option of new Set(options)) {
    const distance = input === option ? 0 : lexicalDistance(word, option.toLowerCase(), threshold);
    if (distance <= threshold) found.push({ option, distance });
  }
  found.sort((first, second) => first.distance - second.distance || naturalOrder(first.option, second.option));
  return found.map(({ option }) => option);
}

/**
 * The Damerau-Levenshtein distance; more than the threshold where it is passed. Words that differ only in their case have
 * the distance 1.
 * @param {string} first
 * @param {string} second
 * @param {number} threshold
 */
function lexicalDistance(first, second, threshold) {
  if (first === second) return 1;
  const [long, short] = first.length < second.length ? [second, first] : [first, second];
  if (long.length - short.length > threshold) return threshold + 1;
  let beforePrevious = new Array(short.length + 1).fill(0), previous = beforePrevious.map((_, index) => index);
  for (let row = 0; row < long.length; row += 1) {
    const current = [row + 1];
    let smallest = row + 1;
    for (let column = 0; column < short.length; column += 1) {
      const substitution = previous[column] + (long[row] === short[column] ? 0 : 1);
      let cell = Math.min(previous[column + 1] + 1, current[column] + 1, substitution);
      if (row > 0 && column > 0 && long[row] === short[column - 1] && long[row - 1] === short[column]) {
        cell = Math.min(cell, beforePrevious[column - 1] + 1);
      }
      current.push(cell);
      smallest = Math.min(smallest, cell);
    }
    if (smallest > threshold) return threshold + 1;
    [beforePrevious, previous] = [previous, current];
  }
  return previous[short.length];
}

/**
 * Alphabetical, but with runs of digits compared as numbers: `a2` before `a10`.
 * @param {string} first
 * @param {string} second
 */
export function naturalOrder(first, second) {
  let left = 0, right = 0;
  while (left < first.length && right < second.length) {
    const leftRun = digitsAt(first, left), rightRun = digitsAt(second, right);
    if (leftRun && rightRun) {
      const leftDigits = leftRun.replace(/^0+/, ""), rightDigits = rightRun.replace(/^0+/, "");
      if (leftDigits !== rightDigits) {
        if (leftDigits.length !== rightDigits.length) return leftDigits.length - rightDigits.length;
        return leftDigits < rightDigits ? -1 : 1;
      }
      left += leftRun.length;
      right += rightRun.length;
    } else {
      if (first[left] !== second[right]) return first[left] < second[right] ? -1 : 1;
      left += 1;
      right += 1;
    }
  }
  return first.length - second.length;
}

/**
 * @param {string} text
 * @param {number} start
 */
function digitsAt(text, start) { return /^[0-9]*/.exec(text.slice(start))?.[0] ?? ""; }
