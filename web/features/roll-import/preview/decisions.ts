import type { RollRow } from '#contracts/roll-import'
import type { Decisions } from '../import-draft'

/** By the child that was chosen: the row for which it was. One child is one row. */
export const rowsOfChosen = (decisions: Decisions): Map<number, number> =>
  new Map(
    Object.entries(decisions).flatMap(([row, chosen]) => (chosen === 'new' ? [] : [[chosen, Number(row)]])),
  )

/** The decisions with those rows decided that can be one child alone, where no other row can be it too. */
export const withOnlyMatches = (rows: readonly RollRow[], decisions: Decisions): Decisions => {
  const wanted = new Map<number, number>()
  for (const { candidates } of rows)
    for (const { id } of candidates) wanted.set(id, (wanted.get(id) ?? 0) + 1)
  const taken = rowsOfChosen(decisions)
  const clear = rows.flatMap(({ row, candidates }) => {
    const [only, ...others] = candidates
    const isClear = only && others.length === 0 && wanted.get(only.id) === 1 && !taken.has(only.id)
    return isClear ? [[String(row), only.id] as const] : []
  })
  return { ...Object.fromEntries(clear), ...decisions }
}

/** Those decisions that the rows of a newer preview still ask for. */
export const stillGood = (rows: readonly RollRow[], decisions: Decisions): Decisions => {
  const kept = rows.flatMap(({ row, candidates }) => {
    const chosen = decisions[String(row)]
    const isGood = chosen === 'new' || candidates.some((candidate) => candidate.id === chosen)
    return chosen !== undefined && isGood ? [[String(row), chosen] as const] : []
  })
  return Object.fromEntries(kept)
}
