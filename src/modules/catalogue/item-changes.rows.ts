import type { Knex } from 'knex'
import { decimalFromNgwee } from '#kernel/money'
import { recordChanges } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import type { MenuItem } from './menu-item.decide'

export type ItemChange = { before: MenuItem | null; after: MenuItem | null }

export const recordItemChanges = (
  transaction: Knex.Transaction,
  by: By & { at: Date },
  changes: readonly ItemChange[],
  words = '',
): Promise<void> =>
  recordChanges(
    transaction,
    by,
    changes.map(({ before, after }) => ({
      kind: 'catalogue',
      what: `Menu item "${(before ?? after)!.name}" ${before === null ? 'made' : after === null ? 'deleted' : 'changed'}${words}`,
      old: before && valuesOf(before),
      new: after && valuesOf(after),
    })),
  )

const valuesOf = ({ id: _id, price, ...item }: MenuItem) => ({ ...item, price: decimalFromNgwee(price) })
