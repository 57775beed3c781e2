import type { StatementMapping } from '#contracts/transfers'
import { directionNeeded, guessMapping } from '#modules/transfers/statements/guess-mapping.decide'
import { recognisedLayout } from '#modules/transfers/statements/layouts.decide'
import { readStatement } from '#modules/transfers/statements/statement-file.decide'
import { comparedTransactionId } from '#modules/transfers/transfers.view'
import { likelyHead, openCsvFile, refuseOtherMoney, tableUnder } from '#platform/csv-file'
import { inSlices } from '#platform/pacing'

const zone = 'Africa/Lusaka'
const now = new Date('2026-11-25T09:00:00Z')

const known = (heads: readonly string[]) => recognisedLayout(heads, 'airtel')

/**
 * A statement as it is read on 25 November 2026, by this mapping or by its heads, said to be from Airtel. `asked`: the column of
 * a mapped file that says which way amounts went and that its mapping leaves out.
 */
export const readStatementFile = async (
  content: string | Buffer,
  mapping?: StatementMapping,
  ownNumbers: string[] = [],
) => {
  const file = openCsvFile(Buffer.from(content))
  const head = file.candidates.find(({ heads }) => known(heads)) ?? likelyHead(file)
  const layout = known(head.heads)
  const table = await tableUnder(file, head, 20_000)
  const columns = mapping ?? layout!.columns
  refuseOtherMoney(table, columns.in ?? columns.amount!, [columns.out, columns.balance])
  const reading = { columns, ownNumbers, zone, now, idKey: comparedTransactionId }
  const statement = await inSlices(readStatement(table, reading))
  const asked = statement.isProven || !mapping ? null : await inSlices(directionNeeded(table, columns))
  return { layout: layout?.name ?? null, asked, ...statement }
}

/** What a statement's amounts are, in kwacha, and the rows that are wrong. */
export const amountsRead = async (...asked: Parameters<typeof readStatementFile>) => {
  const { incoming, errors, doubt, asked: direction } = await readStatementFile(...asked)
  return {
    in: incoming.map(({ amount }) => amount / 100),
    wrong: errors.map(({ row }) => row),
    doubt,
    asked: direction,
  }
}
/** Just these amounts, and nothing wrong. */
export const money = (...amounts: number[]) => ({
  in: amounts,
  wrong: [] as number[],
  doubt: null,
  asked: null as string | null,
})

export const guessed = async (content: string) => {
  const file = openCsvFile(Buffer.from(content))
  return inSlices(guessMapping(await tableUnder(file, likelyHead(file), 20_000)))
}
