import type { SettlementState, SettlementType } from '#contracts/settlements'
import type { Ngwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import type { CardNames } from '../needs'
import type { SettledLine, SettledNames } from './settlement-file.decide'

export type CardMovement = {
  id: string
  attemptId: string
  type: 'payment' | 'refund'
  amount: Ngwee
  date: SchoolDate
}

/** Amounts in ngwee. `row` is null for what the file lacks. */
export type ComparedRow = {
  row: number | null
  type: SettlementType
  state: SettlementState
  reference: string | null
  ours: Ngwee | null
  theirs: Ngwee | null
}

type Ours = { payments: readonly CardNames[]; movements: readonly CardMovement[] }
type Days = { from: SchoolDate; to: SchoolDate }

/** Pairs each line with one of our movements, equal amounts first. Chargebacks are not in the books. `found`: movements in the file. */
export const compareLines = (
  lines: readonly SettledLine[],
  { payments, movements }: Ours,
): { rows: ComparedRow[]; found: CardMovement[] } => {
  const paymentNamed = paymentFinder(payments)
  const free = new Map<string, CardMovement[]>()
  for (const movement of movements) {
    const key = `${movement.attemptId} ${movement.type}`
    free.set(key, [...(free.get(key) ?? []), movement])
  }
  const taken = new Map<SettledLine, CardMovement>()
  const take = (isIt: (movement: CardMovement, line: SettledLine) => boolean) => {
    for (const line of lines) {
      const candidates = free.get(`${paymentNamed(line)?.attemptId} ${line.type}`) ?? []
      const place = taken.has(line) ? -1 : candidates.findIndex((movement) => isIt(movement, line))
      if (place !== -1) taken.set(line, candidates.splice(place, 1)[0]!)
    }
  }
  take((movement, line) => movement.amount === line.gross)
  take(() => true)
  const rows = lines.map((line): ComparedRow => {
    const ours = taken.get(line)?.amount ?? null
    const reference = paymentNamed(line)?.reference ?? line.companyRef ?? line.transRef ?? line.token
    return {
      row: line.row,
      type: line.type,
      state: stateOf(ours, line.gross),
      reference,
      ours,
      theirs: line.gross,
    }
  })
  return { rows, found: [...taken.values()] }
}

const stateOf = (ours: Ngwee | null, theirs: Ngwee): SettlementState => {
  if (ours === null) return 'missing_here'
  return ours === theirs ? 'matched' : 'amount_differs'
}

const written = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

/** By token, then the provider's reference, then ours. */
const paymentFinder = (payments: readonly CardNames[]) => {
  const by = (name: 'token' | 'ref' | 'reference') =>
    new Map(
      payments.flatMap((payment) => (payment[name] ? [[written(payment[name]), payment] as const] : [])),
    )
  const [token, ref, reference] = [by('token'), by('ref'), by('reference')]
  return (names: SettledNames): CardNames | undefined =>
    token.get(written(names.token ?? '')) ??
    ref.get(written(names.transRef ?? '')) ??
    reference.get(written(names.companyRef ?? ''))
}

export const daysCovered = (lines: readonly SettledLine[], found: readonly CardMovement[]): Days | null => {
  const written = lines.flatMap(({ type, date }) => (type === 'chargeback' || date === null ? [] : [date]))
  const days = (written.length > 0 ? written : found.map(({ date }) => date)).toSorted()
  return days.length === 0 ? null : { from: days[0]!, to: days.at(-1)! }
}

export const missingThere = (
  { payments, movements }: Ours,
  found: readonly CardMovement[],
): ComparedRow[] => {
  const known = new Set(found.map(({ id }) => id))
  const references = new Map(payments.map(({ attemptId, reference }) => [attemptId, reference]))
  return movements.flatMap(({ id, attemptId, type, amount }): ComparedRow[] => {
    if (known.has(id)) return []
    const reference = references.get(attemptId) ?? null
    return [{ row: null, type, state: 'missing_there', reference, ours: amount, theirs: null }]
  })
}
