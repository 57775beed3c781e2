import type { Knex } from 'knex'
import { v5, v7 } from 'uuid'
import { getCredit, getParentCredit, giveCredit, type Credit } from '#contracts/credit'
import { payOutCredits } from '#contracts/credit-balances'
import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import { payOutCredit } from '#contracts/refunds'
import { isUnproven, kwachaFromNgwee, missingProof, type Proof, ngweeFromKwacha } from '#kernel/money'
import { Refusal } from '#kernel/refusal'
import {
  commandHandler,
  loadStream,
  ownWritesShown,
  type By,
  type Writer,
  handleCommand,
} from '#platform/event-store/command-handler'
import { knowsItsKey, onlyRoles, route, withFeature, type Route } from '#platform/http/route'
import { countPayout, leavingBy, type CreditNeeds } from './count-payout.commands'
import { accountOf, entriesOf, type EntryRow } from './credit.view'
import type { FamilyCredit, FamilyCreditEvent } from './family-credit'
import { familyCredit, giftOf, payoutApproval } from './family-credit.decide'
import { refusal } from './refusals'
import { proofOfPayout, transfersIn } from './unproven-credit.decide'

export const creditRoutes = (needs: CreditNeeds): Route[] => {
  const { knex } = needs.database
  const commands = creditCommands(needs)
  const office = withFeature('refunds')
  const creditOf = creditReply(knex)
  const creditAfter = async (userId: number, by: Writer) => {
    await ownWritesShown(by, needs)
    return creditOf(userId)
  }

  return [
    route(getCredit, onlyRoles('parent', 'teacher'), ({ user }) => creditOf(user.userId)),

    route(getParentCredit, office, async ({ params }) => creditOf(await commands.someFamily(params.id))),

    route(
      giveCredit,
      office,
      async ({ params, body, user, idempotencyKey, by }) => {
        const asked = { userId: params.id, body, idempotencyKey, by, administrator: user.userId }
        return (await commands.giveGift(asked)) ?? creditAfter(params.id, by)
      },
      knowsItsKey,
    ),

    route(
      payOutCredits,
      office,
      async ({ body, user, idempotencyKey, by }) =>
        payOutMany(needs, commands)({ ...body, idempotencyKey, by, administrator: user.userId }),
      knowsItsKey,
    ),

    route(
      payOutCredit,
      office,
      async ({ params, body, user, idempotencyKey, by }) => {
        const asked = { userId: params.id, body, idempotencyKey, by, administrator: user.userId }
        return (await commands.payOut(asked)) ?? creditAfter(params.id, by)
      },
      knowsItsKey,
    ),
  ]
}

export const creditReply =
  (knex: Knex) =>
  async (userId: number): Promise<Credit> => {
    const [account, entries] = await Promise.all([accountOf(knex, userId), entriesOf(knex, userId)])
    return {
      balance: kwachaFromNgwee(account.balance),
      held: kwachaFromNgwee(account.held),
      entries: entries.map(entryReply),
    }
  }

const entryReply = (row: EntryRow): Credit['entries'][number] => ({
  at: new Date(row.at).toISOString(),
  kind: row.kind,
  amount: row.amount / 100,
  balanceAfter: kwachaFromNgwee(row.balance_after),
  about: {
    ...(row.order_id !== null && { orderId: row.order_id }),
    ...(row.reference !== null && { reference: row.reference }),
  },
  text: row.text,
})

const namespace = '8e0c5a52-3d0b-4a0e-a1d5-6b4cf4f7a9c3'

/** One id per request, kind and family. */
const idFor = (what: 'gift' | 'payout', userId: number, idempotencyKey: string | null): string =>
  idempotencyKey === null ? v7() : v5(`${what}/${userId}/${idempotencyKey}`, namespace)

type Asked<Body> = {
  userId: number
  body: Body
  idempotencyKey: string | null
  by: By
  administrator: number
}

const waitingIn = ({ asks }: FamilyCredit, id: string) => {
  const ask = asks.get(id)
  if (ask?.state !== 'waiting') return null
  return { id, state: 'approval' as const, ...(ask.kind === 'payout' && missingProof(ask.proof)) }
}

/** Throws `parent_not_found`, `payout_exceeds_balance`, `approval_withdrawn` and `idempotency_key_reused`. */
export const creditCommands = (needs: CreditNeeds) => {
  const handle = commandHandler(familyCredit, needs)

  const someFamily = async (userId: number): Promise<number> => {
    const person = await needs.identity.personOf(userId)
    if (!person || person.role === 'admin') throw refusal('parent_not_found')
    return userId
  }

  const giveGift = async ({
    userId,
    body,
    idempotencyKey,
    by,
    administrator,
  }: Asked<BodyOf<typeof giveCredit>>) => {
    await someFamily(userId)
    const payoutId = idFor('gift', userId, idempotencyKey)
    const gift = {
      userId,
      payoutId,
      amount: ngweeFromKwacha(body.amount),
      text: body.reason,
      by: administrator,
    }
    return releaseOrRequestApproval(
      { userId, payoutId, kind: 'gift', amount: gift.amount, by: administrator },
      by,
      {
        decide: (credit, now) => familyCredit.decide({ kind: 'give', entry: giftOf(gift), now }, credit),
        ask: (credit, now) => payoutApproval.decide({ kind: 'ask-gift', gift, now }, credit),
      },
    )
  }

  const payOut = async ({
    userId,
    body,
    idempotencyKey,
    by,
    administrator,
  }: Asked<BodyOf<typeof payOutCredit>>) => {
    await someFamily(userId)
    const payout = {
      userId,
      payoutId: idFor('payout', userId, idempotencyKey),
      amount: ngweeFromKwacha(body.amount),
      method: body.method,
      reference: body.reference || null,
      by: administrator,
    }
    const { payoutId, amount } = payout
    return releaseOrRequestApproval({ userId, payoutId, kind: 'payout', amount, by: administrator }, by, {
      decide: (credit, now) => familyCredit.decide({ kind: 'pay-out', payout, now }, credit),
      ask: (credit, now, proof) =>
        payoutApproval.decide({ kind: 'ask', payout: { ...payout, proof }, now }, credit),
    })
  }

  const releaseOrRequestApproval = async (
    act: Parameters<typeof leavingBy>[0],
    by: By,
    {
      decide,
      ask,
    }: {
      decide: (credit: FamilyCredit, now: Date) => FamilyCreditEvent[]
      ask: (credit: FamilyCredit, now: Date, proof: Proof) => FamilyCreditEvent[]
    },
  ) => {
    const { payoutId: id } = act
    const { waiting } = await handleCommand(needs, by, async (now) => {
      const loaded = await loadStream(needs.eventStore, familyCredit, act.userId)
      const events = decide(loaded.state, now)
      if (events.length === 0) return { changes: [{ loaded, events }], waiting: waitingIn(loaded.state, id) }
      const { needsApproval, changes } = await countPayout(needs)([leavingBy(act)], now)
      const unproven = transfersIn(loaded.events)
      const proven = unproven.length === 0 ? new Set<string>() : await needs.provenTransfers(unproven)
      const { balance } = loaded.state
      const proof = proofOfPayout(loaded.events, { balance, amount: act.amount, proven })
      const isUnprovenPayout = act.kind === 'payout' && isUnproven(proof)
      if (!needsApproval && !isUnprovenPayout)
        return { changes: [...changes, { loaded, events }], waiting: null }
      const asked = ask(loaded.state, now, proof)
      const after = asked.reduce(familyCredit.evolve, loaded.state)
      return { changes: [{ loaded, events: asked }], waiting: waitingIn(after, id) }
    })
    return waiting
  }

  const giveUp = async (userId: number, administrator: number, by: By): Promise<void> => {
    const withdraw = { kind: 'withdraw-all', by: administrator } as const
    await handle(userId, by, (credit, now) => {
      const withdrawn = payoutApproval.decide({ ...withdraw, now }, credit)
      if (credit.balance === 0) return withdrawn
      const method = 'given_up' as const
      const payout = {
        userId,
        payoutId: v7(),
        amount: credit.balance,
        method,
        reference: null,
        by: administrator,
      }
      return [...withdrawn, ...familyCredit.decide({ kind: 'pay-out', payout, now }, credit)]
    })
  }

  return { someFamily, giveGift, payOut, giveUp }
}

type AskedOfMany = Pick<Asked<unknown>, 'idempotencyKey' | 'by' | 'administrator'> &
  BodyOf<typeof payOutCredits>

/** One append a family, one after another: all count for the same administrator. Repeated by its key, it goes on with those not paid yet. */
export const payOutMany =
  ({ eventStore }: CreditNeeds, { someFamily, payOut }: ReturnType<typeof creditCommands>) =>
  async ({ parentIds, method, reference, ...asked }: AskedOfMany): Promise<ReplyOf<typeof payOutCredits>> => {
    const done: ReplyOf<typeof payOutCredits> = { paid: 0, amount: 0, skipped: [] }
    let paidOut = 0
    for (const userId of new Set(parentIds))
      try {
        const { state } = await loadStream(eventStore, familyCredit, await someFamily(userId))
        const payoutId = idFor('payout', userId, asked.idempotencyKey)
        const known = state.payouts.get(payoutId) ?? state.asks.get(payoutId)
        const { amount } = known ?? { amount: state.balance }
        if (amount === 0) throw refusal('no_credit')
        const body = { amount: amount / 100, method, reference }
        if ((await payOut({ ...asked, userId, body })) !== null) throw refusal('approval')
        done.paid += 1
        paidOut += amount
      } catch (error) {
        if (!(error instanceof Refusal) || error.code === 'idempotency_key_reused') throw error
        done.skipped.push({ parentId: userId, code: error.code, message: error.message })
      }
    return { ...done, amount: kwachaFromNgwee(paidOut) }
  }
