import type { Knex } from 'knex'
import type { BooksSettings } from '#contracts/books'
import { kwachaFromNgwee, type Ngwee } from '#kernel/money'

/** One row; amount in ngwee, percentage as decimal digits. */
type SettingsRow = {
  tpin: string
  address: string
  vat_percent: string | null
  refund_approval_above: Ngwee | null
  card_refunds: boolean
}

export const readBooksSettings = async (knex: Knex): Promise<BooksSettings> =>
  settingsOf((await knex<SettingsRow>('books.settings').first())!)

/** Nobody else changes them until the transaction ends. */
export const lockBooksSettings = async (transaction: Knex.Transaction): Promise<BooksSettings> =>
  settingsOf((await transaction<SettingsRow>('books.settings').forUpdate().first())!)

const settingsOf = (row: SettingsRow): BooksSettings => ({
  tpin: row.tpin,
  address: row.address,
  vatPercent: row.vat_percent === null ? null : Number(row.vat_percent),
  refundApprovalAbove: row.refund_approval_above === null ? null : kwachaFromNgwee(row.refund_approval_above),
  cardRefunds: row.card_refunds,
})

export const writeBooksSettings = async (
  transaction: Knex.Transaction,
  { before, after: settings, at }: { before: BooksSettings; after: BooksSettings; at: Date },
): Promise<void> => {
  await transaction<SettingsRow>('books.settings').update({
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
}

export const vatPercentAt = async (knex: Knex, at: Date): Promise<number | null> => {
  const [percent] = await knex('books.vat_rates')
    .where('since', '<=', at)
    .orderBy('since', 'desc')
    .limit(1)
    .pluck<(string | null)[]>('percent')
  return percent === undefined || percent === null ? null : Number(percent)
}
