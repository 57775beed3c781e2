import { canonicalJson } from '#modules/audit/chain/chain.process'
import { csvLines } from '#modules/audit/history/history.routes'
import { nonUserActor } from '#modules/audit/history/entries.view'
import { userIdOf } from '#kernel/event'
import { redacted } from '#modules/audit/history/entry'

test.each([
  [
    { b: 1, a: { d: [1, { z: null, y: 'é' }], c: 12.5 } },
    '{"a":{"c":12.5,"d":[1,{"y":"é","z":null}]},"b":1}',
  ],
  [{ a: undefined, b: 2 }, '{"b":2}'],
  [{ aa: 1, a: 2, B: 3 }, '{"B":3,"a":2,"aa":1}'],
  [[], '[]'],
  ['"', '"\\""'],
  ['a\\b\n\u007f\ud800', JSON.stringify('a\\b\n\u007f\ud800')],
  [{ 'k"': true }, '{"k\\"":true}'],
  [null, 'null'],
])('%j has one spelling', (value, text) => {
  expect(canonicalJson(value)).toBe(text)
})

test.each([
  ['token 4E4C8B3A-1111-4222-8333-44444444abcd used', 'token …abcd used'],
  ['card 4111 1111 1111 1234', 'card …1234'],
  ['call +260977123456', 'call …3456'],
  ['paid by mwila@example.com', 'paid by (e-mail address)'],
  ['two\n lines', 'two lines'],
  ['K45.00 on 2026-09-16', 'K45.00 on 2026-09-16'],
])('%s is shown as %s', (text, shown) => {
  expect(redacted(text)).toBe(shown)
})

test('a long text from outside is cut', () => {
  expect(redacted('x'.repeat(400))).toBe(`${'x'.repeat(300)}…`)
})

test.each([
  ['plain', '"plain"\r\n'],
  ['with, comma', '"with, comma"\r\n'],
  ['with "quotes"', '"with ""quotes"""\r\n'],
  ['two\nlines', '"two\nlines"\r\n'],
  ['=HYPERLINK("http://x")', '"\'=HYPERLINK(""http://x"")"\r\n'],
  ['+1', '"\'+1"\r\n'],
  ['-1', '"\'-1"\r\n'],
  ['@sum', '"\'@sum"\r\n'],
  ['\tx', '"\'\tx"\r\n'],
  ['\rx', '"\'\rx"\r\n'],
  ['K45.00', '"K45.00"\r\n'],
])('the cell %j is written %j', (text, line) => {
  expect(csvLines([[text]])).toBe(line)
})

test.each([
  ['user:12', null],
  ['system', 'Tuckshop'],
  ['job:settle-refund', 'Tuckshop (settle refund)'],
  ['provider:dpo', 'provider dpo'],
])('%s is %s by itself', (actor, who) => {
  expect(nonUserActor(actor)).toBe(who)
})

test('a user is told from everything else', () => {
  expect(userIdOf('user:12')).toBe(12)
  expect(userIdOf('job:12')).toBeNull()
  expect(userIdOf('user:x')).toBeNull()
})
