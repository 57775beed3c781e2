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
