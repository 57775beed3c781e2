import type { Ports } from '#platform/ports'
import type { Knex } from 'knex'
import { recordChanges, type Change } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'

export const recordAccountChange = (
  transaction: Knex.Transaction,
  { now }: Ports,
  by: By,
  what: string,
  values: Pick<Change, 'old' | 'new'> = { old: null, new: null },
): Promise<void> => recordChanges(transaction, { ...by, at: now() }, [{ kind: 'accounts', what, ...values }])
