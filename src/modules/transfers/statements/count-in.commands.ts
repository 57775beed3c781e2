import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import type { countIn } from '#contracts/transfers'
import { decimalFromNgwee, ngweeFromKwacha } from '#kernel/money'
import { possibleDates } from '#kernel/parse-date'
import { instantAt, isSchoolDate } from '#kernel/school-time'
import { recordChanges } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import type { TransfersNeeds } from '../ports'
import { refusal } from '../refusals'
import { comparedTransactionId } from '../transfers.view'
import { leftOutRow } from './left-out.rows'
import { phoneIn, type Facts } from './statement-file.decide'
import type { Incoming } from './statement-row'
import { idIn, insertRows, isPaymentKey } from './statement-rows.rows'
import { statementById } from './statements.rows'

type Body = BodyOf<typeof countIn>

/**
 * Makes a row that does not count an open payment, once for all uploads of its file. Throws `statement_not_found`, `row_not_found`,
 * `row_counted`, and `facts_missing` for what neither row nor body says.
 */
export const countRowIn =
  (needs: TransfersNeeds) =>
  async (statementId: number, body: Body, by: By): Promise<ReplyOf<typeof countIn>> => {
    const { knex } = needs.database
    const statement = await statementById(knex, statementId)
    if (!statement) throw refusal('statement_not_found')
    const aside = await leftOutRow(knex, statementId, body.row)
    if (!aside) throw refusal('row_not_found')
    const payment = wholePayment(aside, body, needs)
    const { rowKey } = aside
    const key =
      payment.transactionId === null ? `row/${rowKey}` : `id/${comparedTransactionId(payment.transactionId)}`
    const id = idIn(statement.layout, key)
    await knex.transaction(async (transaction) => {
      if (await isPaymentKey(transaction, rowKey)) throw refusal('row_counted')
      const how = { statementId, method: statement.method, countedIn: true }
      const [added] = await insertRows(transaction, how, [{ ...payment, id, rowKey }])
      if (added === undefined) throw refusal('row_counted')
      const what = `Row ${body.row} of statement ${statementId} counted in as a payment of K${decimalFromNgwee(payment.amount)}; it was left out: ${aside.reason}`
      await recordChanges(transaction, { ...by, at: needs.now() }, [
        { kind: 'settings', what, old: null, new: null },
      ])
    })
    return { message: 'The row is an open payment now', rowId: id }
  }

const wholePayment = (row: Facts, body: Body, { now, zone }: TransfersNeeds): Incoming => {
  const fields: Record<string, string> = {}
  const amount = body.amount === undefined ? row.amount : ngweeFromKwacha(body.amount)
  if (amount === null) fields['amount'] = 'The row has no amount: type it'
  const at = body.at === undefined ? row.at : timeIn(body.at, zone)
  if (at === null) fields['at'] = 'The row has no date: type it'
  else if (!possibleDates({ now: now(), zone }).canBe(at))
    fields['at'] = 'This date is older than two years or after tomorrow'
  const phone = body.phone === undefined ? row.phone : phoneIn(body.phone)
  if (body.phone !== undefined && phone === null) fields['phone'] = 'This is not a phone number'
  const transactionId = body.transactionId ?? row.transactionId
  if (transactionId !== null && comparedTransactionId(transactionId) === '')
    fields['transactionId'] = 'This is not a transaction id'
  if (amount === null || at === null || Object.keys(fields).length > 0)
    throw refusal('facts_missing', { fields })
  return { at, amount, payer: body.payer ?? row.payer, phone, text: body.text ?? row.text, transactionId }
}

const timeIn = (text: string, zone: string): Date =>
  isSchoolDate(text) ? instantAt(text, 0, 0, zone) : new Date(text)
