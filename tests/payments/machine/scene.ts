import type { Scheduler } from 'fast-check'
import { Refusal } from '#kernel/refusal'
import { paymentAttempt } from '#modules/payments/attempt/fold'
import { readRefundEvent } from '#modules/refunds/refund'
import { payoutIdFor } from '#modules/refunds/refund.commands'
import { refundDecider } from '#modules/refunds/refund.decide'
import { loadStream, ownWritesShown } from '#platform/event-store/command-handler'
import {
  beginning,
  type EventStore,
  type Position,
  WrongExpectedRevision,
} from '#platform/event-store/event-store'
import { cycle, after, monday7 } from '../../ordering/lunches'
import { fold } from '../../support/given-when-then'
import { type Act, type Story, type CartBook, type Payout, menu, cartBook, childId, parentId } from './acts'
import { type Account, bank } from './bank'
import { Crash } from './failing-store'
import { type ServiceProcess, type Environment, serviceProcess } from './process'
import { type MachineTables, rowsInMemory } from './tables'
import { patientWorker } from './worker'

/** In whose name everything is done; the log of who did it is not what these stories are about. */
const by = { actor: 'user:1', correlationId: 'request-1', written: { upTo: beginning } }
const bursar = 1

const retry = (process: ServiceProcess, cart: CartBook, line: number, day: number | null) => {
  const to = cart.lines[line]
  const amendments = day === null || !to ? [] : [{ index: line, to: { ...to, dayOfWeek: day } }]
  return process.retry(cart.attemptId, amendments, by)
}

type School = Environment['school']

const changeSchool = (
  school: School,
  wholeFamily: School['childrenOf'],
  change: Extract<Act, { what: 'school' }>['change'],
): void => {
  switch (change) {
    case 'block':
      school.cycle = { ...cycle, blockedDays: [{ week: 1, day: 2 }] }
      return
    case 'open':
      Object.assign(school, { cycle: { ...cycle, blockedDays: [] }, items: menu, childrenOf: wholeFamily })
      return
    case 'item gone':
      school.items = menu.slice(1)
      return
    case 'child gone':
      school.childrenOf = new Map([...wholeFamily].map(([id, all]) => [id, all.slice(1)]))
      return
    case 'broken':
    case 'mended':
      school.isBroken = change === 'broken'
  }
}

const xmlOf = (token: string) =>
  `<API3G><Result>000</Result><TransactionToken>${token}</TransactionToken></API3G>`

const recordPayout = (process: ServiceProcess, { refundId, reference, amount }: Payout) => {
  const payout = { amount, method: 'cash' as const, reference, note: null, by: bursar }
  return process.payBack({ refundId, payout, payoutId: payoutIdFor(refundId, reference), by })
}

/** A refusal is an answer; a conflict that lasted and a database that is away are faults that the caller sees. */
export const isExpected = (error: unknown): boolean =>
  error instanceof Refusal ||
  error instanceof Crash ||
  error instanceof WrongExpectedRevision ||
  (error instanceof Error && error.message === 'database away')

export type Ground = {
  store: EventStore
  isSplit: boolean
  database: MachineTables
  viewsInclude: (position: Position) => Promise<void>
  /** Where this story begins in the store. */
  start: Position
  /** Tells its people from those of others. */
  family: number
}

/** A school in the middle of a story: two processes that may die and are replaced, a bank, parents and a bursar. */
export const scene = (ground: Ground, story: Story, scheduler: Scheduler) => {
  const { store, family } = ground
  let isCalm = false
  const pause = async () => (isCalm ? undefined : scheduler.schedule(Promise.resolve()))
  const provider = bank(`TOKEN-${family}-`, pause)
  const clock = { now: monday7 }
  const children = [0, 1].map((child) => ({ id: childId(family, child), name: `Child ${child}`, grade: '4' }))
  const wholeFamily = new Map([0, 1].map((parent) => [parentId(family, parent), children]))
  const school: Environment['school'] = {
    cycle: { ...cycle, blockedDays: [] },
    items: menu,
    childrenOf: wholeFamily,
    discountOf: (userId) => (userId === parentId(family, 1) ? 10 : 0),
    hasAlternative: true,
    isBroken: false,
  }
  const around: Environment = { ...ground, provider: provider.port, clock, pause, school }
  const deaths = [...story.deaths]
  const begin = () => serviceProcess(around, deaths.shift() ?? null)
  const processes = [begin(), begin()]
  const carts = story.carts.map((cart, number) => cartBook(family, cart, number))
  const worker = patientWorker(store, ground.start)
  const rowsNow = rowsInMemory(store, ground.start)
  const payouts: Payout[] = []
  const asked = { accept: new Set<string>() }
  let round = 0
  // The processes take locks; one that died comes back.
  const someProcess = (): ServiceProcess => {
    const place = (round += 1) % 2
    if (processes[place]!.isDead()) processes[place] = begin()
    return processes[place]!
  }

  const accountOf = ({ attemptId }: CartBook): Promise<Account | undefined> =>
    rowsNow().then(({ attempts }) =>
      provider.accounts.get(attempts.find(({ id }) => id === attemptId)?.token ?? ''),
    )

  const start = async (process: ServiceProcess, { isCard, userId, key, lines, total }: CartBook) => {
    if (!isCard)
      return process.place({
        userId,
        lines,
        useCredit: false,
        payBy: null,
        body: lines,
        idempotencyKey: key,
        by,
      })
    const customer = { name: 'Mary Banda', email: 'mary@example.org', phone: null }
    const claimedAmount = total / 100
    const site = 'https://lunch.school.test'
    const asked = {
      userId,
      customer,
      prompt: null,
      ip: '192.0.2.1',
      lines,
      useCredit: false,
      claimedAmount,
      idempotencyKey: key,
      site,
      by,
    }
    const { token } = await process.start(asked)
    provider.accounts.get(token)!.isShown = true
    return token
  }

  const ordersOf = async ({ attemptId }: CartBook) =>
    (await rowsNow()).orders.filter((row) => row.attempt_id === attemptId)

  const changeOrder = async (
    process: ServiceProcess,
    cart: CartBook,
    { line, to }: Extract<Act, { what: 'order' }>,
  ) => {
    const placed = await ordersOf(cart)
    const found = placed[line % Math.max(1, placed.length)]
    if (!found) return
    if (to === 'own cancel') return process.cancelOwn(found.id, cart.userId, by)
    const office = { administrator: 1, idempotencyKey: null, by }
    if (to === 'paid') return process.verifyByHand({ orderIds: [found.id] }, office)
    return process.changeOrders([found.id], to, by)
  }

  const payBack = async (process: ServiceProcess, cart: CartBook, line: number, isHalf: boolean) => {
    const owed = (await rowsNow()).refunds.filter((row) => row.attempt_id === cart.attemptId && row.owed > 0)
    const found = owed[line % Math.max(1, owed.length)]
    if (!found) return
    const amount = isHalf && found.owed > 1 ? Math.floor(found.owed / 2) : found.owed
    const reference = `payout-${payouts.length + 1}`
    const payout = { refundId: found.id, reference, amount }
    payouts.push(payout)
    await recordPayout(process, payout)
  }

  /** As a route does: it answers once the views have what it wrote. */
  const perform = (act: Act): Promise<unknown> => {
    const process = someProcess()
    return performBy(process, act).finally(() => ownWritesShown(by, process.needs))
  }

  const performBy = async (process: ServiceProcess, act: Act): Promise<unknown> => {
    const cart = carts[act.cart]!
    const id = cart.attemptId
    switch (act.what) {
      case 'start':
        return start(process, cart)
      case 'pay': {
        const account = await accountOf(cart)
        return account && provider.pay(account, act.way)
      }
      case 'decline':
      case 'hang': {
        const account = await accountOf(cart)
        const isOpen = account?.isShown && (account.state === 'open' || account.state === 'declined')
        if (isOpen) account.state = act.what === 'hang' ? 'hanging' : 'declined'
        return undefined
      }
      case 'look':
        return process.settle(
          id,
          { source: act.source, claim: act.source === 'advice' ? 'verified' : null },
          by,
        )
      case 'back':
        return process.recordBrowserClaim(id, 'cancelled', by)
      case 'confirm items':
        return confirmItems(process, id)
      case 'push':
        return process.push(xmlOf((await accountOf(cart))?.token ?? 'TOKEN-none'))
      case 'forged push':
        return process.push(xmlOf(`TOKEN-${family}-99`))
      case 'sweep':
        return Promise.allSettled(process.sweeps.map(({ run }) => run()))
      case 'work':
        return worker.run(process)
      case 'retry':
        return retry(process, cart, act.line, act.day)
      case 'abandon':
        return process.abandon(id, by)
      case 'accept':
        asked.accept.add(id)
        return process.accept(id, 'A bank fee', by)
      case 'waive':
        return process.waive(id, 'School closed', by)
      case 'order':
        return changeOrder(process, cart, act)
      case 'pay back':
        return payBack(process, cart, act.line, act.isHalf)
      case 'outage':
        provider.mood.outage = act.answers
        return undefined
      case 'creates':
        provider.mood.creates = act.mood
        return undefined
      case 'school':
        return changeSchool(school, wholeFamily, act.change)
      case 'time':
        clock.now = after(clock.now, act.minutes)
        return undefined
    }
  }

  const attemptOf = async (id: string) => (await loadStream(store, paymentAttempt, id)).state

  const confirmItems = async (process: ServiceProcess, id: string) => {
    const attempt = await attemptOf(id)
    return attempt.status === 'none' ? undefined : process.confirmItems(attempt, by)
  }

  const refundOf = async (id: string) => {
    const stream = refundDecider.streamOf(id)
    const recorded = (await store.read([stream])).get(stream) ?? []
    return fold(
      refundDecider,
      recorded.flatMap((event) => readRefundEvent(event) ?? []),
    )
  }

  return {
    carts,
    asked,
    clock,
    provider,
    rowsNow,
    attemptOf,
    perform,
    /** The payouts that the service knows of: only for those did money leave the drawer. */
    paidOut: async () => {
      const found: Payout[] = []
      for (const payout of payouts) {
        const refund = await refundOf(payout.refundId)
        const known =
          'payouts' in refund && refund.payouts.some(({ reference }) => reference === payout.reference)
        if (known) found.push(payout)
      }
      return found
    },
    /** Each scene at once, in whatever order the scheduler likes; answers what went wrong that may not. */
    play: async (): Promise<unknown[]> => {
      const faults: unknown[] = []
      for (const acts of story.scenes) {
        const doing = acts.map((act) => pause().then(() => perform(act)))
        for (const one of await scheduler.waitFor(Promise.allSettled(doing)))
          if (one.status === 'rejected' && !isExpected(one.reason)) faults.push(one.reason)
      }
      return faults
    },
    /** The bank makes up its mind, what was broken is mended, one process lives on and nobody comes between. */
    calmDown: (): ServiceProcess => {
      isCalm = true
      deaths.length = 0
      school.isBroken = false
      Object.assign(provider.mood, { outage: 0, creates: 'well' })
      for (const account of provider.accounts.values()) {
        if (account.state !== 'hanging') continue
        account.state = 'declined'
        if (story.hangingIsPaid) provider.pay(account, 'exactly')
      }
      return serviceProcess(around)
    },
    /** The bursar looks through the drawer and records again what was on its way. */
    repeatPayouts: async (process: ServiceProcess) => {
      for (const payout of payouts)
        await recordPayout(process, payout).catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error
        })
    },
    worker,
  }
}

export type Scene = ReturnType<typeof scene>
