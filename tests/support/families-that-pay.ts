import { createHash } from 'node:crypto'
import type { Due } from './statement-month'

const letters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const reference = (number: number) => {
  const bytes = createHash('sha256').update(`reference ${number}`).digest().subarray(0, 6)
  return `LP-${[...bytes].map((byte) => letters[byte % letters.length]).join('')}`
}

const firstNames = [
  'Mary',
  'Peter',
  'Chanda',
  'Mwila',
  'Grace',
  'Joseph',
  'Natasha',
  'Bwalya',
  'Esther',
  'Kelvin',
]
const surnames = [
  'Banda',
  'Phiri',
  'Mwansa',
  'Zulu',
  'Tembo',
  'Mulenga',
  'Sakala',
  'Lungu',
  'Ngoma',
  'Daka',
  'Moyo',
]

/** So many references to be paid, each of one family of these, for one to four meals; the same each time. */
export const duesOf = (count: number, families: number): Due[] =>
  Array.from({ length: count }, (_, number) => {
    const userId = (number % families) + 1
    return {
      reference: reference(number),
      userId,
      name: `${firstNames[userId % 10]} ${firstNames[Math.floor(userId / 10) % 10]} ${surnames[userId % 11]}`,
      phone: `0977${String(userId).padStart(6, '0')}`,
      orders: Array.from({ length: (number % 4) + 1 }, (_one, meal) => ({
        id: `${userId}.2026-10-${String((number % 28) + 1).padStart(2, '0')}.${number * 4 + meal + 1}`,
        amount: 3500 + (number % 3) * 500,
      })),
    }
  })
