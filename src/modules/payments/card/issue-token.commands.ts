import { instantAt, schoolMoment } from '#kernel/school-time'
import type { Now } from '#platform/clock'
import type { EventStore, Position } from '#platform/event-store/event-store'
import { retryOnConflict } from '#platform/event-store/retry-on-conflict'
import type { Log } from '#platform/log'
import { advanced, attemptAppend, loadAttempt } from '../attempt/attempts.commands'
import type { LoadedAttempt } from '../attempt/attempts.commands'
import type { Author, CompleteNeeds } from '../checkout/complete-checkout.commands'
import type { Standing } from '../attempt/payment-attempt'
import { paymentAttempt } from '../attempt/payment-attempt.decide'
import type { CardProvider, TokenAnswer } from '../providers/provider'
import { refusal } from '../refusals'
import { limitMinutesFor } from '../settlement/sweep-schedule'

/** Who pays, for the provider's page. */
export type Customer = { name: string; email: string | null; phone: string | null }

export type IssueNeeds = Pick<CompleteNeeds, 'mealsOf'> & {
  eventStore: Pick<EventStore, 'read' | 'append'>
  now: Now
  log: Log
  graceMinutes: number
  zone: string
}

/**
 * Asks the provider for a token and records it (E2), or that there is none, giving back the days (E3). A crash between
 * leaves a draft that the sweep ends. Throws `payment_failed` or, while the provider is left alone or refuses our
 * credentials, `payments_unavailable`.
 */
export const issueToken =
  (needs: IssueNeeds, provider: CardProvider) =>
  async (
    begun: LoadedAttempt,
    { customer, site, by }: { customer: Customer; site: string; by: Omit<Author, 'at'> },
  ): Promise<{ attempt: Standing; position: Position }> => {
    const standing = begun.attempt as Standing
    const at = needs.now()
    const minutes = limitMinutesFor(standing.checkout.lines, at, schoolMoment(at, needs.zone).date)
    const answer = await provider.createToken(tokenRequest(needs, standing, { customer, site }, minutes))
    if (answer.kind !== 'created') {
      await endWithoutToken(needs, begun.id, answer, by)
      throw refusalFor(answer)
    }
    const limitAt = new Date(at.getTime() + minutes * 60_000)
    const holdUntil = new Date(limitAt.getTime() + needs.graceMinutes * 60_000)
    return retryOnConflict(async () => {
      const loaded = await loadAttempt(needs.eventStore, begun.id)
      const { token, ref } = answer
      const command = { kind: 'issue-token', token, ref, limitAt, holdUntil, now: needs.now() } as const
      const events = paymentAttempt.decide(command, loaded.attempt)
      const stamp = { ...by, at: command.now, idSeed: `${begun.id}/token` }
      const position = await needs.eventStore.append(attemptAppend(loaded, events, stamp))
      return { attempt: advanced(loaded, events).attempt as Standing, position }
    })
  }

const tokenRequest = (
  { zone }: IssueNeeds,
  { checkout }: Standing,
  { customer, site }: { customer: Customer; site: string },
  limitMinutes: number,
) => {
  const [firstName = '', ...others] = customer.name.trim().split(/\s+/)
  const first = checkout.lines.map(({ mealDate }) => mealDate).toSorted()[0]!
  const { length } = checkout.lines
  return {
    reference: checkout.companyRef ?? '',
    amount: checkout.total,
    unique: true,
    returnUrl: `${site}/payment/success`,
    backUrl: `${site}/payment/cancel`,
    limitMinutes,
    customer: {
      firstName,
      lastName: others.join(' '),
      email: customer.email ?? '',
      phone: customer.phone,
    },
    description: length === 1 ? 'School lunch' : `School lunches x ${length}`,
    serviceAt: instantAt(first, 12, 0, zone),
  }
}

type NoToken = Exclude<TokenAnswer, { kind: 'created' }>

const refusalFor = (answer: NoToken) => {
  if (answer.kind === 'unavailable' || answer.kind === 'config') return refusal('payments_unavailable')
  return refusal('payment_failed')
}

const detailOf = (answer: NoToken): string | null => {
  if (answer.kind === 'unavailable') return null
  return answer.kind === 'unreachable' ? answer.why : `${answer.code} ${answer.explanation}`.slice(0, 1000)
}

const endWithoutToken = (needs: IssueNeeds, id: string, answer: NoToken, by: Omit<Author, 'at'>) => {
  if (answer.kind !== 'unavailable')
    needs.log.error({ attemptId: id, why: answer.kind, detail: detailOf(answer) }, 'no payment token')
  return giveUpDraft(needs)(id, answer.kind, detailOf(answer), by)
}

/** Ends an attempt that has no token (E3), giving back its days; one that has got one meanwhile is left alone. */
export const giveUpDraft =
  (needs: Pick<IssueNeeds, 'eventStore' | 'mealsOf' | 'now'>) =>
  (id: string, why: string, detail: string | null, by: Omit<Author, 'at'>): Promise<void> =>
    retryOnConflict(async () => {
      const loaded = await loadAttempt(needs.eventStore, id)
      if (loaded.attempt.status === 'none') return
      const author = { ...by, at: needs.now() }
      const events = paymentAttempt.decide(
        { kind: 'refuse-token', why, detail, now: author.at },
        loaded.attempt,
      )
      if (events.length === 0) return
      const released = (await needs.mealsOf(loaded.attempt.checkout)).release(author)
      await needs.eventStore.append([...attemptAppend(loaded, events, author), ...released])
    })
