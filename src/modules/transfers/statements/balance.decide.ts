import { decimalFromNgwee } from '#kernel/money'

type Way = 'in' | 'out'

/** A row of a statement as its balance sees it; amounts in ngwee. */
export type BalanceLine = {
  row: number
  at: number | null
  /** Without sign; 0 where nothing moved. */
  size: number
  fee: number
  /** By column, sign or word; null where nothing says it. */
  told: Way | null
  balance: number | null
  /** Reads as a balance or total: a payment only where the balance moved by it. */
  isSum: boolean
}

export type Proof = {
  ways: ReadonlyMap<number, Way>
  /** Why a row does not agree. */
  differing: ReadonlyMap<number, string>
}

type Judged = { agreed: number; isWhole: boolean } & Proof

const nothing: Judged = { ways: new Map(), differing: new Map(), agreed: 0, isWhole: false }

/** `proof` is null where most rows do not agree, or where both orders of rows would agree; `compared` rows could be looked at. */
export const proofOf = (
  lines: readonly BalanceLine[],
): { proof: (Proof & { isWhole: boolean }) | null; agreed: number; compared: number } => {
  const orders = [judge(lines), judge(lines.toReversed())] as const
  const { agreed, ...proof } = likelier(orders, lines) ?? nothing
  const compared = agreed + proof.differing.size
  const isUsed = agreed > 0 && agreed >= proof.differing.size
  return { proof: isUsed ? proof : null, agreed, compared }
}

/** Oldest or newest first: the order in which more rows agree, then that of the dates, then that of what rows say. */
const likelier = (
  [oldestFirst, newestFirst]: readonly [Judged, Judged],
  lines: readonly BalanceLine[],
): Judged | null => {
  const times = lines.flatMap(({ at }) => at ?? [])
  const falls = Math.sign((times[0] ?? 0) - (times.at(-1) ?? 0))
  const contradicted = ({ ways }: Judged) =>
    lines.filter(({ row, told }) => told !== null && ways.has(row) && ways.get(row) !== told).length
  const better =
    oldestFirst.agreed - newestFirst.agreed || -falls || contradicted(newestFirst) - contradicted(oldestFirst)
  if (better !== 0) return better > 0 ? oldestFirst : newestFirst
  return lines.every(({ row }) => oldestFirst.ways.get(row) === newestFirst.ways.get(row))
    ? oldestFirst
    : null
}

const judge = (lines: readonly BalanceLine[]): Judged => {
  const ways = new Map<number, Way>()
  const differing = new Map<number, string>()
  let previous: number | null = null
  let waiting: BalanceLine[] = []
  for (const line of lines) {
    const moves = line.size > 0 && !(line.isSum && !isMovement(line, previous)) ? [...waiting, line] : waiting
    waiting = line.balance === null ? moves : []
    if (line.balance === null) continue
    if (previous !== null) {
      const found = waysOf(moves, previous, line.balance)
      for (const one of moves)
        if (typeof found === 'string') differing.set(one.row, found)
        else ways.set(one.row, found(one))
    }
    previous = line.balance
  }
  return { ways, differing, agreed: ways.size, isWhole: ways.size > 0 && differing.size === 0 }
}

const isMovement = ({ size, balance }: BalanceLine, previous: number | null): boolean =>
  previous !== null && balance !== null && Math.abs(balance - previous) === size && size !== Math.abs(balance)

/** Which way each went, or why they do not agree. Several rows with one balance are proven together. */
const waysOf = (
  moves: readonly BalanceLine[],
  from: number,
  to: number,
): ((line: BalanceLine) => Way) | string => {
  const moved = to - from
  const [first, ...others] = moves
  if (!first) return () => 'in'
  const figures = `the balance moved by ${kwacha(moved)}, from ${kwacha(from)} to ${kwacha(to)}`
  if (others.length > 0) {
    const told = moves.reduce((sum, line) => sum + (line.told === 'out' ? -line.size : line.size), 0)
    if (told === moved) return (line) => line.told ?? 'in'
    return `The rows ${first.row} to ${others.at(-1)!.row} come to ${kwacha(told)}, but ${figures}`
  }
  const { size, fee } = first
  if (moved === size || moved === size - fee) return () => 'in'
  if (moved === -size || moved === -size - fee) return () => 'out'
  return `This row says ${kwacha(first.told === 'out' ? -size : size)}, but ${figures}`
}

const kwacha = (amount: number): string => `${amount < 0 ? '-' : ''}K${decimalFromNgwee(Math.abs(amount))}`
