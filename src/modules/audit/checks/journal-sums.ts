import type { EventOf } from '#kernel/event'
import { type Ngwee, sum } from '#kernel/money'
import {
  isClearing,
  isStored,
  journalFold,
  sides,
  type Account,
  type JournalRows,
  type Movement,
} from '#modules/books/index'
import { transferConfirmed } from '#modules/transfers/published'
import { kwacha } from '../history/entry'

/** What is left in an account for a line, an order, a refund or an entry of credit. `isMet`: something was already taken from it. */
export type Rest = {
  kind: Account
  what: string
  attemptId: string | null
  amount: Ngwee
  isMet: boolean
  changedAt: string
}

export type CreditAccount = {
  user_id: number
  given: Ngwee
  taken_back: Ngwee
  spent: Ngwee
  paid_out: Ngwee
  held: Ngwee
  /** As the latest event tells it. */
  balance: Ngwee
}

/** `given` and `taken_back` are of credit. `imbalance`: what the movements of single events come to, which should be nothing. */
export type AttemptSum = Account | 'given' | 'taken_back' | 'imbalance'

export type JournalSums = {
  rows: JournalRows
  /** By `kind method` of the bookings that are stored. */
  stored: Map<string, Ngwee>
  attempts: Map<string, Map<AttemptSum, Ngwee>>
  rests: Map<string, Rest>
  accounts: Map<number, CreditAccount>
  /** Transfers that pay another amount than they brought. */
  transferFaults: string[]
}

/** Sums the journal of all events as they come, so that no entry is kept. */
export const journalSums = () => {
  const stored: JournalSums['stored'] = new Map()
  const attempts: JournalSums['attempts'] = new Map()
  const rests: JournalSums['rests'] = new Map()
  const accounts: JournalSums['accounts'] = new Map()
  const transferFaults: string[] = []

  const addToAttempt = (attemptId: string | null | undefined, sum: AttemptSum, amount: Ngwee) => {
    if (attemptId)
      plus(
        of(attempts, attemptId, () => new Map<AttemptSum, Ngwee>()),
        sum,
        amount,
      )
  }

  const addToRest = ({ kind, what = '', attemptId = null, amount }: Movement, changedAt: string) => {
    const key = `${kind} ${what}`
    const before = rests.get(key)
    const rest = {
      kind,
      what,
      attemptId: before?.attemptId ?? attemptId,
      amount: (before?.amount ?? 0) + amount,
      isMet: before?.isMet === true || amount < 0,
      changedAt,
    }
    if (rest.amount === 0) rests.delete(key)
    else rests.set(key, rest)
  }

  const accountOf = (userId: number) => of(accounts, userId, () => ({ ...noCredit, user_id: userId }))

  const addToAccount = ({ kind, userId, attemptId, amount }: Movement, balanceAfter: Ngwee | null) => {
    const isWaiver = kind === 'given_up' && !attemptId
    if (!creditKinds.has(kind) && !isWaiver) return
    const account = accountOf(userId)
    if (balanceAfter !== null) account.balance = balanceAfter
    if (kind === 'credit_held') account.held += amount
    else if (kind === 'credit_spent') account.spent += amount
    else if (kind === 'credit_paid_out' || isWaiver) account.paid_out += amount
  }

  /** A cancelled order renames the credit of its absence: then both kinds come to nothing. */
  const addGiven = (movements: readonly Movement[]) => {
    const given = movements.filter(({ kind }) => kind === 'credit_given' || kind === 'granted')
    const [first] = given
    const amount = sum(given.map((movement) => movement.amount))
    if (!first || amount === 0) return
    const name = amount > 0 ? 'given' : 'taken_back'
    addToAttempt(first.attemptId, name, Math.abs(amount))
    accountOf(first.userId)[name] += Math.abs(amount)
  }

  const { add, rows } = journalFold((event, movements) => {
    const { at, balanceAfter = null } = event.data as { at: string; balanceAfter?: Ngwee }
    if (event.type === transferConfirmed.type)
      transferFaults.push(...sumFaults(event.data as EventOf<typeof transferConfirmed>['data']))
    for (const movement of movements) {
      const { kind, method, attemptId, amount } = movement
      addToAttempt(attemptId, kind, amount)
      addToAttempt(attemptId ?? movements[0]?.attemptId, 'imbalance', sides[kind] * amount)
      if (isClearing(kind)) addToRest(movement, at)
      if (isStored(kind)) plus(stored, method ? `${kind} ${method}` : kind, amount)
      addToAccount(movement, balanceAfter)
    }
    addGiven(movements)
  })

  return { add, sums: { rows, stored, attempts, rests, accounts, transferFaults } satisfies JournalSums }
}

const creditKinds: ReadonlySet<string> = new Set<Account>([
  'credit_given',
  'granted',
  'credit_spent',
  'credit_paid_out',
  'credit_held',
  'credit',
])

const noCredit = { given: 0, taken_back: 0, spent: 0, paid_out: 0, held: 0, balance: 0 }

const of = <Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

const plus = <Key>(sums: Map<Key, number>, key: Key, amount: number): void =>
  void sums.set(key, (sums.get(key) ?? 0) + amount)

const sumFaults = ({ transferId, amount, families }: EventOf<typeof transferConfirmed>['data']): string[] => {
  const parts = sum(
    families.flatMap(({ orders, surplus }) => [surplus, ...orders.map((order) => order.amount)]),
  )
  return parts === amount
    ? []
    : [`Transfer ${transferId} brought ${kwacha(amount)}, and pays ${kwacha(parts)} in all.`]
}
