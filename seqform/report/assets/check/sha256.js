// SHA-256 (FIPS 180-4) of text that is ASCII.

const primes = (count) => {
  const found = [];
  for (let n = 2; found.length < count; n += 1) {
    if (found.every((p) => n % p)) found.push(n);
  }
  return found;
};
const fraction = (number) => ((number - Math.floor(number)) * 2 ** 32) | 0;

const checkHash = (content, names) => { // of the game, so that it is not taken for another
  const described = new Map(names.map((name) => [name, part(content, name)]));
  require(sha256(canonical(described)) === part(content, "hash"), "the game is not the one that was hashed");
};
const hashed = (content) => `the game is the one that was hashed: ${content.get("hash").slice(0, 12)}…`;

const sha256 = (text) => {
  const constants = primes(64).map((p) => fraction(Math.cbrt(p)));
  const state = primes(8).map((p) => fraction(Math.sqrt(p)));
  const length = (((text.length + 8) >> 6) + 1) * 64;
  const bytes = new Uint8Array(length);
  for (let n = 0; n < text.length; n += 1) bytes[n] = text.charCodeAt(n);
  bytes[text.length] = 128;
  const view = new DataView(bytes.buffer);
  view.setUint32(length - 8, Math.floor(text.length / 2 ** 29));
  view.setUint32(length - 4, (text.length * 8) >>> 0);
  const words = new Int32Array(64);
  const turn = (word, by) => (word >>> by) | (word << (32 - by));
  for (let start = 0; start < length; start += 64) {
    for (let n = 0; n < 16; n += 1) words[n] = view.getInt32(start + 4 * n);
    for (let n = 16; n < 64; n += 1) {
      const [a, b] = [words[n - 15], words[n - 2]];
      const small = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
      words[n] = (words[n - 16] + small + words[n - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10))) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let n = 0; n < 64; n += 1) {
      const big = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const one = (h + big + ((e & f) ^ (~e & g)) + constants[n] + words[n]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, n) => {
      state[n] = (state[n] + word) | 0;
    });
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
};
