import type { Knex } from 'knex'
import type { BooksSettings } from '#contracts/books-settings'
import { kwachaFromNgwee, type Ngwee } from '#kernel/money'

/** One row; the amount in ngwee, the percentage as decimal digits. */
type SettingsRow = {
  tpin: string
  address: string
  vat_percent: string | null
  refund_approval_above: Ngwee | null
  card_refunds: boolean
}

/** The settings as they are now. */
export const readBooksSettings = async (knex: Knex): Promise<BooksSettings> =>
  settingsOf((await knex<SettingsRow>('books.settings').first())!)

const settingsOf = (row: SettingsRow): BooksSettings => ({
  tpin: row.tpin,
  address: row.address,
  vatPercent: row.vat_percent === null ? null : Number(row.vat_percent),
  refundApprovalAbove: row.refund_approval_above === null ? null : kwachaFromNgwee(row.refund_approval_above),
  cardRefunds: row.card_refunds,
})

/** Writes the settings, and since when another rate of VAT counts; answers the settings before. */
export const writeBooksSettings = async (
  transaction: Knex.Transaction,
  settings: BooksSettings,
  at: Date,
): Promise<BooksSettings> => {
  const stored = () => transaction<SettingsRow>('books.settings')
  const before = settingsOf((await stored().forUpdate().first())!)
  await stored().update({
    tpin: settings.tpin,
    address: settings.address,
    vat_percent: settings.vatPercent === null ? null : String(settings.vatPercent),
    refund_approval_above:
      settings.refundApprovalAbove === null ? null : Math.round(settings.refundApprovalAbove * 100),
    card_refunds: settings.cardRefunds,
  })
  if (before.vatPercent !== settings.vatPercent)
    await transaction('books.vat_rates')
      .insert({ since: at, percent: settings.vatPercent })
      .onConflict('since')
      .merge()
  return before
}

/** The rate of VAT that prices included at that time, in percent; null for none. */
export const vatPercentAt = async (knex: Knex, at: Date): Promise<number | null> => {
  const [percent] = await knex('books.vat_rates')
    .where('since', '<=', at)
    .orderBy('since', 'desc')
    .limit(1)
    .pluck<(string | null)[]>('percent')
  return percent === undefined || percent === null ? null : Number(percent)
}
