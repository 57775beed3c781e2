import type { Pool } from 'pg'
import type { Ngwee } from '#kernel/money'
import { paymentReply } from './instructions'
import { claimReference } from './references.rows'
import type { Checkout } from '../attempt/events'
import { readPaymentBypass } from './settings.rows'

type SettingsNeeds = { database: { pool: Pool } }

/** How a cart that is handed in without a card is to be paid for. */
export type Terms = Pick<Checkout, 'companyRef'> & { kind: 'free' | 'alternative' }

/**
 * A cart that costs something is paid for outside of the card provider while that is switched on; otherwise only what
 * is free can be had.
 */
export const termsOfCheckout =
  ({ database: { pool } }: SettingsNeeds) =>
  async (attemptId: string, total: Ngwee): Promise<Terms> => {
    if (total === 0 || !(await readPaymentBypass(pool)).enabled) return { kind: 'free', companyRef: null }
    return { kind: 'alternative', companyRef: await claimReference(pool, attemptId) }
  }

/** What a checkout that was placed is still to be paid with; null when there is nothing to pay. */
export const paymentOfCheckout =
  ({ database: { pool } }: SettingsNeeds) =>
  async ({ companyRef, total }: Pick<Checkout, 'companyRef' | 'total'>) =>
    companyRef === null
      ? null
      : paymentReply({ reference: companyRef, amount: total }, await readPaymentBypass(pool))
