import { createHash } from 'node:crypto'

/** What a family has to pay under one reference; amounts in ngwee. */
export type Due = {
  reference: string
  userId: number
  /** As the account has it. */
  name: string
  phone: string
  orders: readonly { id: string; amount: number }[]
}

const kinds = [
  'plain',
  'forgiven',
  'two-families',
  'split',
  'doubled',
  'too-small',
  'too-large',
  'mistyped',
  'no-reference',
] as const
type Kind = (typeof kinds)[number]

/** One incoming payment of the month. `pays`: the orders that it is to be matched with exactly, alone or with others. */
export type Transfer = {
  layout: 'airtel' | 'mtn' | 'bank'
  transactionId: string
  at: Date
  amount: number
  payer: string
  phone: string
  text: string
  kind: Kind
  wellWritten: boolean
  pays: readonly string[]
}

const dayMs = 86_400_000

/** Numbers from 0 to 1 that are the same each time. */
const dice = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}
type Dice = ReturnType<typeof dice>

const oneOf = <Item>(items: readonly Item[], roll: Dice): Item => items[Math.floor(roll() * items.length)]!
const total = (dues: readonly Due[]) =>
  dues.flatMap(({ orders }) => orders).reduce((sum, { amount }) => sum + amount, 0)
const idsOf = (dues: readonly Due[]) => dues.flatMap(({ orders }) => orders.map(({ id }) => id))

const twins: Record<string, string> = { S: '5', 5: 'S', Z: '2', 2: 'Z', B: '8', 8: 'B', G: '6', 6: 'G' }

/** A reference as people type it who type it well: any case, with and without its dash and its LP. */
const typed = (reference: string, roll: Dice): string => {
  const code = reference.slice(3)
  return oneOf(
    [
      reference,
      reference.toLowerCase(),
      `LP ${code}`,
      `LP${code}`,
      code,
      `${code.slice(0, 3)} ${code.slice(3)}`,
      `School lunch ${reference}`,
      `lunch ${code.toLowerCase()} thanks`,
      `${reference}.`,
    ],
    roll,
  )
}

const swapped = (reference: string): string =>
  `LP-${reference.slice(3).replaceAll(/[0-9A-Z]/g, (letter) => twins[letter] ?? letter)}`

const mistyped = (reference: string): string =>
  `${reference.slice(0, -1)}${reference.endsWith('7') ? '9' : '7'}`

type Payment = Pick<Transfer, 'amount' | 'text' | 'wellWritten' | 'pays'>

/** The payments with which somebody pays, well or badly. */
const paymentsOf = (kind: Kind, dues: readonly Due[], roll: Dice): Payment[] => {
  const [{ reference }] = dues as [Due]
  const [amount, pays] = [total(dues), idsOf(dues)]
  const well = (more: Partial<Payment> = {}): Payment => ({
    amount,
    text: dues.map((due) => typed(due.reference, roll)).join(' and '),
    wellWritten: true,
    pays,
    ...more,
  })
  const unmatched = { wellWritten: false, pays: [] }
  const half = Math.floor(amount / 3)
  switch (kind) {
    case 'plain':
    case 'two-families':
      return [well()]
    case 'forgiven':
      return [well({ text: swapped(reference) })]
    case 'split':
      return [well({ amount: half }), well({ amount: amount - half })]
    case 'doubled':
      return [well(), well(unmatched)]
    case 'too-small':
      return [well({ ...unmatched, amount: amount - 500 })]
    case 'too-large':
      return [well({ ...unmatched, amount: amount + 1000 })]
    case 'mistyped':
      return [well({ ...unmatched, text: mistyped(reference) })]
    case 'no-reference':
      return [well({ ...unmatched, text: 'school lunch' })]
  }
}

/** Of a hundred payers so many pay in each way. */
const weights: Record<Kind, number> = {
  plain: 74,
  forgiven: 6,
  'two-families': 3,
  split: 4,
  doubled: 3,
  'too-small': 2,
  'too-large': 2,
  mistyped: 3,
  'no-reference': 3,
}
const wheel = kinds.flatMap((kind) => Array.from({ length: weights[kind] }, () => kind))

/**
 * A month in which these dues are paid for, `perDay` transfers a day from `from` on, in three layouts. The same each time.
 */
export const statementMonth = (
  dues: readonly Due[],
  { from, perDay = 60, seed = 1 }: { from: Date; perDay?: number; seed?: number },
) => {
  const roll = dice(seed)
  const transfers: Transfer[] = []
  for (let next = 0; next < dues.length;) {
    const wanted = oneOf(wheel, roll)
    const pair = dues.slice(next, next + 2)
    const isPair = wanted === 'two-families' && pair.length === 2 && pair[0]!.userId !== pair[1]!.userId
    const kind = wanted === 'two-families' && !isPair ? 'plain' : wanted
    const paid = isPair ? pair : pair.slice(0, 1)
    next += paid.length
    const layout = oneOf(['airtel', 'mtn', 'bank'] as const, roll)
    for (const payment of paymentsOf(kind, paid, roll)) {
      const number = transfers.length
      const at = new Date(+from + Math.floor(number / perDay) * dayMs + 60_000 * (number % perDay) * 10)
      const { name: payer, phone } = paid[0]!
      // A bank tells the day alone.
      const told = layout === 'bank' ? new Date(`${at.toISOString().slice(0, 10)}T00:00:00+02:00`) : at
      transfers.push({
        layout,
        transactionId: `TX.${seed}.${number}`,
        at: told,
        payer,
        phone,
        kind,
        ...payment,
      })
    }
  }
  return transfers
}

export type StatementFile = { layout: Transfer['layout']; name: string; bytes: Buffer }

/** How the bank's files are to be mapped; Airtel and MTN are known by their heads. */
export const bankMapping = {
  at: 'Value Date',
  in: 'Credit',
  out: 'Debit',
  payer: 'Payer',
  text: 'Description',
  transactionId: 'Bank Reference',
}

/** The files of these transfers: one a week and layout, each with the last two days of the file before it. */
export const statementFiles = (transfers: readonly Transfer[], from: Date): StatementFile[] => {
  const last = Math.max(...transfers.map(({ at }) => +at))
  const files: StatementFile[] = []
  for (let start = +from; start <= last; start += 7 * dayMs)
    for (const layout of ['airtel', 'mtn', 'bank'] as const) {
      const within = transfers.filter(
        (one) => one.layout === layout && +one.at >= start - 2 * dayMs && +one.at < start + 7 * dayMs,
      )
      const name = `${layout}-${new Date(start).toISOString().slice(0, 10)}.csv`
      files.push({ layout, name, bytes: writers[layout](within) })
    }
  return files
}

const cell = (text: string) => (/[",;\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const line = (cells: readonly string[], delimiter = ',') => `${cells.map(cell).join(delimiter)}\r\n`
const kwacha = (ngwee: number) => (ngwee / 100).toFixed(2)
const separated = (ngwee: number) => (ngwee / 100).toLocaleString('en', { minimumFractionDigits: 2 })

/** The school's wall clock, two hours ahead of Greenwich all year. */
const clock = (at: Date) => new Date(+at + 2 * 3_600_000).toISOString()
const dayFirst = (at: Date) => clock(at).slice(0, 10).split('-').toReversed().join('/')

const writers: Record<Transfer['layout'], (transfers: readonly Transfer[]) => Buffer> = {
  airtel: (transfers) =>
    Buffer.from(
      `\uFEFF${line(['Transaction ID', 'Transaction Date', 'Sender MSISDN', 'Sender Name', 'Service Type', 'Transaction Amount', 'Reference', 'Transaction Status'])}${transfers
        .map(({ transactionId, at, phone, payer, amount, text }) =>
          line([
            transactionId,
            `${dayFirst(at)} ${clock(at).slice(11, 19)}`,
            phone,
            payer,
            'Merchant Payment',
            kwacha(amount),
            text,
            'Transaction Success',
          ]),
        )
        .join(
          '',
        )}${line(['TX.FAILED', '01/09/2026 10:00:00', '970000000', 'Nobody', 'Merchant Payment', '45.50', 'LP-AAAAAA', 'Transaction Failed'])}`,
    ),
  mtn: (transfers) =>
    Buffer.from(
      `\uFEFF${line(['Id', 'External Transaction Id', 'Date', 'Status', 'Type', 'From', 'From name', 'To', 'To name', 'Amount', 'Currency', 'Fee', 'Currency', 'To message'])}${transfers
        .map(({ transactionId, at, phone, payer, amount, text }) =>
          line([
            transactionId,
            '',
            clock(at).slice(0, 19).replace('T', ' '),
            'Successful',
            'Payment',
            `FRI:${phone}/MSISDN`,
            payer,
            'FRI:260960000000/MSISDN',
            'School',
            kwacha(amount),
            'ZMW',
            '0',
            'ZMW',
            text,
          ]),
        )
        .join('')}`,
      'utf16le',
    ),
  bank: (transfers) =>
    Buffer.from(
      `Statement of account;;;;;;\r\nAccount;0123456789;;;;;\r\n\r\n${line(['Value Date', 'Description', 'Payer', 'Debit', 'Credit', 'Balance', 'Bank Reference'], ';')}${transfers
        .map(({ transactionId, at, payer, amount, text }) =>
          line([dayFirst(at), text, payer, '', separated(amount), '1,000.00', transactionId], ';'),
        )
        .join('')}${line(['30/09/2026', 'Bank charges', '', '55.00', '', '945.00', 'CHARGE'], ';')}`,
    ),
}

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
