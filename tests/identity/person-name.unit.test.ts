import { safeParse } from 'zod/mini'
import { personName } from '#contracts/endpoint'

const isName = (name: string) => safeParse(personName('Name is required'), name).success

test.each([
  'Chanda Mwila',
  'J.B. Phiri',
  'J.Banda',
  'Mrs.Banda',
  'Dr. Lungu',
  'St.John',
  "N'gandu",
  'Ana-Maria Sá',
  'Ng’andu',
  'ንጉሴ',
  '小明',
  'Mulenga (Grade 4/5)',
])('%j is a name', (name) => {
  expect(isName(name)).toBe(true)
})

test.each([
  'See https://evil.example',
  'www.evil.example',
  'Mulenga evil.com',
  'Win at bit.ly/abc',
  'evil.example/a',
  'pay.evil.ru',
  'go t.me now',
  'EVIL.APP',
  'Banda evil。com',
  'Two\nLines',
  'Tab\tbed',
  '\u3164',
  '\u115f\u1160',
  '\u2800\u2800',
  '\u0301',
  '\u034f',
  '-',
  "' ’",
  'Banda\u202eadnaB',
  '\u200b\u200b',
])('%j is none', (name) => {
  expect(isName(name)).toBe(false)
})
