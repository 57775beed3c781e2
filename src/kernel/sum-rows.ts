const setOf = (words: string) => new Set(words.split(/\s+/))

const balances = setOf('balance balances bal saldo saldos solde kontostand anfangssaldo endsaldo')
const totals = setOf('total totals subtotal subtotals sum sums turnover turnovers')
const ofBalances = setOf(
  `opening closing starting ending beginning begin start end previous available ledger current running period month year day
    statement page account initial inicial final anterior precedent nouveau alter neuer
    anfangssaldo endsaldo`,
)
const ofTotals = setOf(
  `grand sub net batch credit credits debit debits in out received paid amount amounts money deposit deposits withdrawal
    withdrawals`,
)
const carried = setOf('brought carried carry')
const onward = setOf('forward fwd down bf cf')
const ofDates = setOf('as at of on to from for date au al am em')
const months = setOf(
  `jan january feb february mar march apr april may jun june jul july aug august sep sept september oct october nov november dec
    december`,
)

const longestSum = 60

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/(?<!\p{L})[bc][ /.]+(fwd|fd|f|d)(?!\p{L})/gu, 'carried forward')
    .replaceAll(/(?<!\p{L})[bc](fwd|f)(?!\p{L})/gu, 'bf')
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** "Opening balance", "B/F", "Total credits", also with a date. "Balance" alone is what payers of a rest write, as is any other word. */
export const isSum = (text: string): boolean => {
  if (text.length > longestSum) return false
  const words = wordsOf(text)
  const has = (...sets: ReadonlySet<string>[]) => words.some((word) => sets.some((set) => set.has(word)))
  const isTotal = has(totals)
  const known = [
    balances,
    totals,
    ofBalances,
    carried,
    onward,
    ofDates,
    months,
    ...(isTotal ? [ofTotals] : []),
  ]
  const isKnown = (word: string) => /^\d/.test(word) || known.some((set) => set.has(word))
  if (!words.every(isKnown)) return false
  if (isTotal || (has(onward) && has(carried, balances))) return true
  return has(balances) && (has(ofBalances, months) || holdsDate(text))
}

const holdsDate = (text: string): boolean => /\d[./-]\d/.test(text)
