import type { Ngwee } from '#kernel/money'
import type { Reader } from '#platform/database'
import { normalizedCodeSql } from '#platform/normalized-code'
import { foldedSql } from '#kernel/folded-name'
import { isItsTransfer } from './statement-rows.rows'

/** `code` is a `like` pattern; `phone` the end of a number; `words` are folded. */
type RowQuestion = {
  words: readonly string[]
  code: string | null
  phone: string | null
  amount: Ngwee | null
  users: readonly number[]
}

type FoundRow = {
  id: string
  statementId: number
  at: Date
  amount: Ngwee
  payer: string | null
  phone: string | null
  text: string | null
  transactionId: string | null
  state: 'open' | 'confirmed' | 'ignored'
}

/** By transaction id, amount, phone, words, reference or user: open rows first, then newest. Text is scanned row by row. */
export const statementRowsFound = async (
  at: Reader,
  { words, code, phone, amount, users }: RowQuestion,
  limit: number,
): Promise<FoundRow[]> => {
  const { rows } = await at.query<FoundRow>(
    `with picked as (
       select id from payments.statement_rows
       where transaction_id is not null and ${normalizedCodeSql('transaction_id')} like $2::text
       union
       (select id from payments.statement_rows where amount = $4 order by at desc limit $6)
       union
       select row_id from payments.transfers where confirmed and row_id is not null and user_ids && $5::int[]
       union
       (select id from payments.statement_rows
        where ${phone === null ? byWords : byPhone}
        order by at desc limit 100))
     select row.id, row.statement_id as "statementId", row.at, row.amount, row.payer, row.phone, row.text,
       row.transaction_id as "transactionId", state.is as state
     from payments.statement_rows row cross join lateral (select case
       when exists (select from payments.transfers transfer where ${isItsTransfer}) then 'confirmed'
       when row.ignored then 'ignored'
       else 'open' end as is) state
     where row.id in (select id from picked)
     order by (state.is = 'open') desc, row.at desc, row.id limit $6`,
    [words.map(containing), code, phone ?? referenceIn(code), amount, users, limit],
  )
  return rows
}

/** A phone search scans every row. */
const byPhone = `$1::text[] is not null and strpos(translate(concat_ws('|', phone, text), ' -()+./\u00a0', ''), $3) > 0`
const byWords = `${foldedSql("concat_ws('|', payer, text)")} like all($1::text[])
  or ($3::text is not null and strpos(upper(translate(text, ' -./:', '')), $3) > 0)`

const containing = (word: string): string => `%${word.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`

/** Null for a code that could occur by chance. */
const referenceIn = (code: string | null): string | null => {
  const signs = code?.replace('%', '') ?? ''
  return signs.length >= 5 && /\d/.test(signs) ? signs : null
}

/** With payers and orders; at most 50. */
export const transfersByTransactionId = async (
  at: Reader,
  code: string,
): Promise<{ users: number[]; orderIds: string[] }[]> => {
  const { rows } = await at.query<{ users: number[]; orderIds: string[] }>(
    `select user_ids as users, order_ids as "orderIds" from payments.transfers
     where transaction_id is not null and ${normalizedCodeSql('transaction_id')} like $1
     order by confirmed_at desc limit 50`,
    [code],
  )
  return rows
}
