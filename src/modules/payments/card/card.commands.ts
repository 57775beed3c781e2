import type { Pool } from 'pg'
import { startCardPayment } from './card-checkout.commands'
import type { CardCheckoutNeeds } from './card-checkout.commands'
import { confirmItems, heedAdvice } from './claims.commands'
import type { ClaimNeeds } from './claims.commands'
import { openAttempts } from '../attempt/attempts.rows'
import { abandonAttempt, acceptMismatch, retryAttempt, waiveRemainder } from '../console/recovery.commands'
import type { RecoveryNeeds } from '../console/recovery.commands'
import { readPaymentBypass } from '../alternative/settings.rows'
import { verifyAndSettle } from '../settlement/verify-and-settle.commands'

type Bound = 'settle' | 'openAttempts' | 'isBypassed'

/** What card payments need of their environment. */
export type CardNeeds = Omit<CardCheckoutNeeds & ClaimNeeds & RecoveryNeeds, Bound> & {
  database: { pool: Pool }
}

/** The same with what the commands share: one way to settle, the user's open payments, the switch. */
export const cardNeeds = (needs: CardNeeds) => ({
  ...needs,
  settle: verifyAndSettle(needs),
  openAttempts: (userId: number) => openAttempts(needs.database.pool, userId, needs.now()),
  isBypassed: async () => (await readPaymentBypass(needs.database.pool)).enabled,
})

/** Everything that is done to card payments. */
export const cardCommands = (needs: ReturnType<typeof cardNeeds>) => ({
  start: startCardPayment(needs),
  settle: needs.settle,
  confirmItems: confirmItems(needs),
  heedAdvice: heedAdvice(needs),
  retry: retryAttempt(needs),
  accept: acceptMismatch(needs),
  waive: waiveRemainder(needs),
  abandon: abandonAttempt(needs),
})

export type CardCommands = ReturnType<typeof cardCommands>
