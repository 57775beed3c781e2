import type { Knex } from 'knex'
import type { BooksSettings } from '#contracts/books'
import { kwachaFromNgwee, type Ngwee, ngweeFromKwacha } from '#kernel/money'
import type { StoredSettings } from '#platform/settings'

/** One row; amount in ngwee, percentage as decimal digits. */
type SettingsRow = {
  tpin: string
  address: string
  vat_percent: string | null
  refund_approval_above: Ngwee | null
  card_refunds: boolean
}

export const booksSettings: StoredSettings<BooksSettings> = {
  read: async (at, how) => {
    const rows = at<SettingsRow>('books.settings')
    const row = (await (how ? rows.forUpdate() : rows).first())!
    return {
      tpin: row.tpin,
      address: row.address,
      vatPercent: row.vat_percent === null ? null : Number(row.vat_percent),
      refundApprovalAbove:
        row.refund_approval_above === null ? null : kwachaFromNgwee(row.refund_approval_above),
      cardRefunds: row.card_refunds,
    }
  },

  write: async (transaction, after, { before, at }) => {
    await transaction<SettingsRow>('books.settings').update({
      tpin: after.tpin,
      address: after.address,
      vat_percent: after.vatPercent === null ? null : String(after.vatPercent),
      refund_approval_above:
        after.refundApprovalAbove === null ? null : ngweeFromKwacha(after.refundApprovalAbove),
      card_refunds: after.cardRefunds,
    })
    if (before.vatPercent !== after.vatPercent)
      await transaction('books.vat_rates')
        .insert({ since: at, percent: after.vatPercent })
        .onConflict('since')
        .merge()
  },
}

export const vatPercentAt = async (knex: Knex, at: Date): Promise<number | null> => {
  const [percent] = await knex('books.vat_rates')
    .where('since', '<=', at)
    .orderBy('since', 'desc')
    .limit(1)
    .pluck<(string | null)[]>('percent')
  return percent === undefined || percent === null ? null : Number(percent)
}
