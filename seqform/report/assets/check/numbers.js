// Whole numbers and fractions.

const whole = (value) => {
  if (typeof value === "bigint") return value;
  require(typeof value === "string" && /^-?0x[\da-f]+$/.test(value), `${value} is no whole number`);
  return value[0] === "-" ? -BigInt(value.slice(1)) : BigInt(value);
};
const wholes = (values, name, length) => {
  require(Array.isArray(values), `${name} is no list`);
  require(length === undefined || values.length === length, `${name}: ${values.length} entries, not ${length}`);
  return values.map(whole);
};
const place = (value) => Number(whole(value));
const places = (values, name, length) => wholes(values, name, length).map(Number);
const part = (thing, name) => {
  require(thing instanceof Map && thing.has(name), `there is no ${name}`);
  return thing.get(name);
};

const common = (first, second) => { // the greatest common divisor
  let [a, b] = [first < 0n ? -first : first, second];
  while (b) [a, b] = [b, a % b];
  return a;
};

class Ratio {
  constructor(above, below = 1n) {
    [this.above, this.below] = below < 0n ? [-above, -below] : [above, below];
  }
  minus(other) {
    return new Ratio(this.above * other.below - other.above * this.below, this.below * other.below);
  }
  plus(other) {
    return new Ratio(this.above * other.below + other.above * this.below, this.below * other.below);
  }
  times(other) {
    return new Ratio(this.above * other.above, this.below * other.below);
  }
  compare(other) {
    if (this === other) return 0;
    const [left, right] = [this.above * other.below, other.above * this.below];
    return left < right ? -1 : left > right ? 1 : 0;
  }
  short() {
    const divisor = common(this.above, this.below);
    return new Ratio(this.above / divisor, this.below / divisor);
  }
  text() {
    const { above, below } = this.short();
    const exact = below === 1n ? `${above}` : `${above}/${below}`;
    return (exact.length <= 24 ? exact : this.decimal(15)).replace("-", "−");
  }
  float() { // of as many digits as floats have
    const shift = 10n ** 18n;
    const { above, below } = this;
    return Number(above / below) + Number(((above % below) * shift) / below) / 1e18;
  }
  decimal(digits) { // rounded towards zero
    const size = this.above < 0n ? -this.above : this.above;
    const scaled = ((size * 10n ** BigInt(digits)) / this.below).toString().padStart(digits + 1, "0");
    return `${this.above < 0n ? "-" : ""}${scaled.slice(0, -digits)}.${scaled.slice(-digits)}…`;
  }
  static read(pair, name) {
    const [above, below] = wholes(pair, name, 2);
    require(below > 0n, `${name} has no positive denominator`);
    return new Ratio(above, below);
  }
  static parse(text) { // a fraction, or a decimal number
    if (text.includes("/")) {
      const [above, below] = text.split("/");
      return new Ratio(BigInt(above), BigInt(below));
    }
    const [digits, power = "0"] = text.toLowerCase().split("e");
    const [before, after = ""] = digits.split(".");
    const shift = Number(power) - after.length;
    const number = BigInt(before + after);
    return shift >= 0 ? new Ratio(number * 10n ** BigInt(shift)) : new Ratio(number, 10n ** BigInt(-shift));
  }
}
