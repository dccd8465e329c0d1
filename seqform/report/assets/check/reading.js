// JSON, with whole numbers as BigInt, and other numbers as they are written.

class Refused extends Error {}
class Unable extends Error {} // the page cannot tell whether the certificate is right
const able = (condition, message) => {
  if (!condition) throw new Unable(message);
};
const require = (condition, message) => {
  if (!condition) throw new Refused(message);
};

class Written {
  constructor(text) {
    this.text = text;
  }
}

const parse = (text) => {
  let at = 0;
  const space = /[ \t\n\r]*/y;
  const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
  const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
  const skip = () => {
    space.lastIndex = at;
    space.exec(text);
    at = space.lastIndex;
  };
  const take = (pattern, what) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    require(found, `the file is damaged: no ${what} at place ${at}`);
    at = pattern.lastIndex;
    return found;
  };
  const expect = (sign) => {
    skip();
    require(text[at] === sign, `the file is damaged: no ${sign} at place ${at}`);
    at += 1;
  };
  const list = (end, read) => {
    at += 1;
    skip();
    if (text[at] === end) {
      at += 1;
      return;
    }
    for (;;) {
      read();
      skip();
      if (text[at] === end) break;
      expect(",");
    }
    at += 1;
  };
  const value = () => {
    skip();
    const sign = text[at];
    if (sign === "{") {
      const found = new Map();
      list("}", () => {
        skip();
        const key = JSON.parse(take(string, "name")[0]);
        require(!found.has(key), `the field ${key} is there twice`);
        expect(":");
        found.set(key, value());
      });
      return found;
    }
    if (sign === "[") {
      const found = [];
      list("]", () => found.push(value()));
      return found;
    }
    if (sign === '"') return JSON.parse(take(string, "text")[0]);
    for (const [word, meaning] of [["true", true], ["false", false], ["null", null]]) {
      if (text.startsWith(word, at)) {
        at += word.length;
        return meaning;
      }
    }
    const [digits, part, power] = take(number, "number");
    return part || power ? new Written(digits) : BigInt(digits);
  };
  const found = value();
  skip();
  require(at === text.length, "the file goes on after its end");
  return found;
};

const canonical = (thing) => {
  if (thing instanceof Map) {
    const keys = [...thing.keys()].sort();
    return `{${keys.map((key) => `${canonical(key)}:${canonical(thing.get(key))}`).join(",")}}`;
  }
  if (Array.isArray(thing)) return `[${thing.map(canonical).join(",")}]`;
  if (thing instanceof Written) return thing.text;
  if (typeof thing === "bigint") return thing.toString();
  const escape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(thing).replace(/[\u0080-\uffff]/g, escape);
};
