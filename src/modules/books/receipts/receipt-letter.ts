import type { Receipt } from '#contracts/books'
import { longDay } from '#kernel/school-time'

export const receiptAddress = (publicUrl: string, number: string): string =>
  `${publicUrl.replace(/\/$/, '')}/receipts/${number}`

type Line = Receipt['lines'][number]

export const receiptLetter = (receipt: Receipt, publicUrl: string) => {
  const text = (inWords: (line: Line) => string) =>
    [
      `We received your payment of ${kwacha(receipt.amount)}.`,
      ...(receipt.lines.length > 0 ? ['It pays for these meals:'] : []),
      ...receipt.lines.map((line) => `- ${inWords(line)}: ${kwacha(line.price - line.credit)}`),
      ...(receipt.surplus > 0
        ? [`${kwacha(receipt.surplus)} of it is credit of your family now, for your next meals.`]
        : []),
      '',
      `Receipt ${receipt.number}: ${receiptAddress(publicUrl, receipt.number)}`,
      ...receipt.references.map((reference) => `Payment reference: ${reference}`),
    ].join('\n')
  return {
    subject: 'Your payment has arrived',
    text: text(wholeMeal),
    bareText: text(bareMeal),
    short: `Your payment of ${kwacha(receipt.amount)} has arrived. Receipt ${receipt.number}.`,
  }
}

const kwacha = (amount: number): string => `K${amount.toFixed(2)}`

const wholeMeal = ({ item, category, sideDish, student, mealDate }: Line): string => {
  const choices = [category, sideDish].filter(Boolean).join(', ')
  return `${item}${choices === '' ? '' : ` (${choices})`} for ${student} on ${longDay(mealDate)}`
}

const bareMeal = ({ mealDate }: Line): string => `A meal on ${longDay(mealDate)}`
