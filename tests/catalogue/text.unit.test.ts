import { distinctLines, oneLine, severalLines } from '#modules/catalogue/menu-item.decide'

test.each([
  ['  Beef   stew ', 'Beef stew'],
  ['Beef\r\nstew\t!', 'Beef stew !'],
  ['Beef\u0000\u001b[31m stew\u007f', 'Beef [31m stew'],
  ['\u202Ewets feeB\u2069', 'wets feeB'],
  ['Be\u200Bef\uFEFF', 'Beef'],
  ['half \uD83C', 'half'],
  ['Cafe\u0301', 'Café'],
  ['🍲 stew 👩‍🍳', '🍲 stew 👩‍🍳'],
  ['=SUM(A1)', '=SUM(A1)'],
  ['\u0001\u2028', ''],
])('%j as one line is %j', (text, line) => expect(oneLine(text)).toBe(line))

test.each([
  ['One\r\ntwo\rthree\nfour\u2028five', 'One\ntwo\nthree\nfour\nfive'],
  ['One\u0000two\tthree', 'One two three'],
  ['\n\n spaced  out \n', 'spaced  out'],
])('%j keeps its lines: %j', (text, lines) => expect(severalLines(text)).toBe(lines))

test('each line stands once, without regard to case, in the order given, none empty', () => {
  expect(distinctLines(['Chips', ' ', 'Rice', 'chips ', '\u0007', 'Rice'])).toEqual(['Chips', 'Rice'])
})
