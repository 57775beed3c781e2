import { kwacha, spaced } from './entry-words'
import { redacted } from './redaction'

export const payingBy = {
  card: 'to be paid by card',
  free: 'with nothing to pay',
  alternative: 'to be paid by mobile money or bank',
} as const

export const signals = {
  return: 'The browser came back from the payment page',
  back: 'The browser left the payment page',
  push: 'The provider sent word',
  sweep: 'Looked at again by schedule',
  administrator: 'An administrator asked the provider again',
  advice: 'The browser said how it went',
  checkout: 'The parent began another checkout',
} as const

export const endings = {
  'not-paid': 'it is not paid',
  'no-answer': 'the provider did not answer',
  'lease-lost': 'it was cut off',
} as const

type Answer = { code: string; explanation: string }

/** What the provider said, without anything secret. */
export const answer = ({ code, explanation }: Answer): Record<string, string | null> => ({
  'Provider answer': redacted(`${code} ${explanation}`),
})

type Card = {
  explanation: string
  method: string | null
  cardLast4: string | null
  approval: string | null
  fraud: string | null
}

export const cardDetails = (code: string, told: Card): Record<string, string | null> => ({
  ...answer({ code, explanation: told.explanation }),
  Card:
    [told.method, told.cardLast4 && `ending ${told.cardLast4.slice(-4)}`].filter(Boolean).join(' ') || null,
  Approval: told.approval && redacted(told.approval),
  'Fraud check': told.fraud && redacted(told.fraud),
})

type Line = { student: { name: string }; item: { name: string }; mealDate: string; price: number }

const mostLines = 20

/** `Beef Stew for Chipo Banda on 2026-09-16, K45.00; …` */
export const linesIn = (lines: readonly Line[]): string =>
  lines
    .slice(0, mostLines)
    .map(
      ({ student, item, mealDate, price }) =>
        `${item.name} for ${student.name} on ${mealDate}, ${kwacha(price)}`,
    )
    .concat(lines.length > mostLines ? [`and ${lines.length - mostLines} more`] : [])
    .join('; ')

/** `meal 1: day blocked, meal 3: error` */
export const linesWith = <Line extends { index: number }>(
  lines: readonly Line[],
  why: (line: Line) => string,
): string => lines.map((line) => `meal ${line.index + 1}: ${spaced(why(line))}`).join(', ')

/** Which part of a checkout money is owed for. */
export const partOf = (part: number | 'surplus'): string =>
  part === 'surplus' ? 'what was paid too much' : `meal ${part + 1}`
