import { screen, within, waitFor } from '@testing-library/react'
import { listParents, deleteParent } from '#contracts/accounts'
import { getParentCredit, giveCredit } from '#contracts/credit'
import {
  type WaitingPayout,
  type ListedRefund,
  approvalRefused,
  approvePayout,
  listPayouts,
  payOutCredit,
  withdrawPayout,
  approveRefund,
  completeRefund,
  listRefunds,
  withdrawRefund,
} from '#contracts/refunds'
import { type FakeServer, type Asked, fakeServer, refusal } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
import { mayComplete, mayNothing, ofMary } from './sample-payments'
import { mwila, parentList, unanswered, onePage } from './sample-settings'

let server: FakeServer
afterEach(forgetToasts)

describe('approvals', () => {
  const office = adminWith('refunds')
  const askedAt = '2026-09-16T07:00:00.000Z'
  const ownAsk = /You asked for this, so another administrator must approve it\./
  const whyNot = (approve: boolean) => (approve ? undefined : { approve: approvalRefused.own })

  const refund = (more: Partial<ListedRefund> = {}): ListedRefund => ({
    id: '11.2026-09-16.1',
    orderDate: '2026-09-14T07:00:00.000Z',
    student: { name: 'Anna', grade: '4' },
    menuItem: { name: 'Beef Stew' },
    amount: 45.5,
    status: 'cancelled',
    reason: 'Order cancelled',
    dueSince: '2026-09-15T07:00:00.000Z',
    ...ofMary,
    allowed: mayComplete,
    ...more,
  })
  const waiting = (approve: boolean, toCard = false) =>
    refund({
      approval: { by: 'bursar', at: askedAt },
      asked: { amount: 45.5, method: 'bank', reference: 'FNB 7', note: null, toCard },
      allowed: { ...mayNothing, approve, withdraw: true },
      why: whyNot(approve),
    })
  const shows = (one: ListedRefund) =>
    server.on(listRefunds, { data: [one], metadata: { ...onePage, total: 1 } })

  const payout = (approve: boolean): WaitingPayout => ({
    id: '0199c0de-0000-7000-8000-000000000201',
    kind: 'payout',
    parent: { id: mwila.id, username: 'mwila.banda', name: 'Mwila Banda' },
    amount: 12,
    method: 'cash',
    reference: null,
    note: null,
    toCard: false,
    approval: { by: 'bursar', at: askedAt },
    allowed: { approve, withdraw: true },
    why: whyNot(approve),
  })

  beforeEach(() => {
    server = fakeServer()
    server.on(listPayouts, { data: [] })
    shows(refund())
  })

  type Hands = ReturnType<typeof openConsole>
  const press = async (user: Hands, name: string | RegExp) =>
    user.click(await screen.findByRole('button', { name }))
  const pressIn = async (user: Hands, title: string, name: string) =>
    user.click(within(await screen.findByRole('dialog', { name: title })).getByRole('button', { name }))

  describe('a refund above what one administrator may let go', () => {
    test('is told to wait', async () => {
      server.on(completeRefund, { id: '11.2026-09-16.1', state: 'approval' })
      const user = openConsole('/', office)
      await press(user, /^Mark as Refunded/)
      await pressIn(user, 'Mark as Refunded', 'Mark as Refunded')
      expect(await screen.findByText('Awaiting approval')).toBeInTheDocument()
      expect(screen.queryByText('Refund completed')).not.toBeInTheDocument()
    })

    test('says who asked for what, and is approved by another as it was shown', async () => {
      shows(waiting(true))
      server.on(approveRefund, refund({ status: 'refunded' }))
      const user = openConsole('/', office)
      const behind = await screen.findByText(
        /^K45\.50 \(Bank transfer, FNB 7\), asked by bursar on 16 September 2026/,
      )
      expect(behind).not.toBeVisible()
      await user.click(screen.getByText('Awaiting approval'))
      expect(behind).toBeVisible()
      expect(screen.queryByRole('button', { name: /^Mark as Refunded/ })).not.toBeInTheDocument()
      await press(user, 'Approve: Beef Stew for Anna')
      await pressIn(user, 'Approve this refund?', 'Approve')
      expect(await screen.findByText('Refund approved')).toBeInTheDocument()
      expect(server.asked(approveRefund)[0]?.body).toEqual({ askedAt })
    })

    test('has no button to approve for whoever asked, and says why; it is withdrawn', async () => {
      shows(waiting(false))
      server.on(withdrawRefund, refund())
      const user = openConsole('/', office)
      expect(await screen.findByText(ownAsk)).toBeInTheDocument()
      expect(screen.queryByRole('button', { name: /^Approve/ })).not.toBeInTheDocument()
      expect(screen.getByRole('button', { name: /^Withdraw/ })).toHaveClass('btn-secondary')
      await press(user, 'Withdraw: Beef Stew for Anna')
      await pressIn(user, 'Withdraw this refund?', 'Withdraw')
      expect(await screen.findByText('Refund withdrawn: it is owed as before')).toBeInTheDocument()
    })

    test('to the card says so before it is approved, and why it cannot be', async () => {
      shows(waiting(true, true))
      server.on(approveRefund, () =>
        refusal(409, 'approval_changed', 'Something else was asked for meanwhile'),
      )
      const user = openConsole('/', office)
      await press(user, 'Approve: Beef Stew for Anna')
      expect(await screen.findByText(/The card provider is asked to pay it back/)).toBeInTheDocument()
      await pressIn(user, 'Approve this refund?', 'Approve')
      expect(await screen.findByText('Something else was asked for meanwhile')).toBeInTheDocument()
    })
  })

  describe('a payout above what one administrator may let go', () => {
    test('is told to wait', async () => {
      server.on(listParents, parentList([mwila]))
      server.on(getParentCredit, { balance: 12.5, held: 0, entries: [] })
      server.on(payOutCredit, { id: payout(false).id, state: 'approval' })
      const user = openConsole('/?section=parents_students', adminWith('parents_students', 'refunds'))
      await press(user, /^Mwila Banda/)
      await press(user, 'Pay Out')
      server.on(listPayouts, { data: [payout(false)] })
      await pressIn(user, 'Pay out credit of mwila.banda', 'Pay Out')
      expect(await screen.findByText('Awaiting approval')).toBeInTheDocument()
      expect(await screen.findByText(ownAsk)).toBeInTheDocument()
      expect(server.asked(listPayouts).at(-1)?.query).toEqual({ parentId: mwila.id })
    })

    test('stands above the refunds, for another to approve', async () => {
      server.on(listPayouts, { data: [payout(true)] })
      server.on(approvePayout, { id: payout(true).id, state: 'paidOut' })
      const user = openConsole('/', office)
      const list = within(await screen.findByRole('list', { name: 'Payouts and gifts that wait' }))
      expect(list.getByText(/payout \(Cash\) to Mwila Banda$/)).toBeInTheDocument()
      expect(list.getByText(/^Asked by bursar on .*For mwila\.banda\.$/)).not.toBeVisible()
      await press(user, 'Approve Payout')
      await pressIn(user, 'Approve this payout?', 'Approve')
      expect(await screen.findByText('Payout approved')).toBeInTheDocument()
      expect(server.asked(approvePayout)[0]?.params).toEqual({ id: payout(true).id })
    })

    test('of money on no statement says so on its row, and before it is approved', async () => {
      server.on(listPayouts, { data: [{ ...payout(true), proof: 'not on any statement' }] })
      const user = openConsole('/', office)
      const list = within(await screen.findByRole('list', { name: 'Payouts and gifts that wait' }))
      expect(list.getByText(/This money is not on any statement/)).toBeVisible()
      await press(user, 'Approve Payout')
      const dialog = within(await screen.findByRole('dialog', { name: 'Approve this payout?' }))
      expect(dialog.getByText(/This money is not on any statement/)).toBeInTheDocument()
    })

    test('is withdrawn', async () => {
      server.on(listPayouts, { data: [payout(false)] })
      server.on(withdrawPayout, { id: payout(false).id, state: 'withdrawn' })
      const user = openConsole('/', office)
      await press(user, 'Withdraw Payout')
      await pressIn(user, 'Withdraw this payout?', 'Withdraw')
      expect(await screen.findByText('Payout withdrawn')).toBeInTheDocument()
    })
  })

  describe('a gift above what one administrator may give', () => {
    const gift: WaitingPayout = { ...payout(true), kind: 'gift', method: null, note: 'Fête' }

    test('is told to wait', async () => {
      server.on(listParents, parentList([mwila]))
      server.on(getParentCredit, { balance: 0, held: 0, entries: [] })
      server.on(giveCredit, { id: gift.id, state: 'approval' })
      const user = openConsole('/?section=parents_students', adminWith('parents_students', 'refunds'))
      await press(user, /^Mwila Banda/)
      await press(user, 'Give Credit')
      await user.type(await screen.findByLabelText('Amount (K)'), '60')
      await user.type(screen.getByLabelText('Reason'), 'Fête')
      server.on(giveCredit, () => {
        throw new TypeError('no network')
      })
      await pressIn(user, 'Give credit to mwila.banda', 'Give Credit')
      expect(
        await screen.findByText('No answer came. Please check your connection and try again.'),
      ).toBeInTheDocument()
      expect(screen.queryByText('Failed to give credit')).not.toBeInTheDocument()
      server.on(giveCredit, { id: gift.id, state: 'approval' })
      await pressIn(user, 'Give credit to mwila.banda', 'Give Credit')
      expect(await screen.findByText('Awaiting approval')).toBeInTheDocument()
      expect(screen.queryByText('Credit given')).not.toBeInTheDocument()
    })

    test('stands beside the payouts, and is approved', async () => {
      server.on(listPayouts, { data: [gift] })
      server.on(approvePayout, { id: gift.id, state: 'given' })
      const user = openConsole('/', office)
      expect(await screen.findByText(/gift to Mwila Banda$/)).toBeInTheDocument()
      expect(screen.getByText(/For mwila\.banda\. Fête\.$/)).not.toBeVisible()
      expect(screen.getByText('K12.00')).toHaveClass('money')
      await press(user, 'Approve Gift')
      await pressIn(user, 'Approve this gift?', 'Approve')
      expect(await screen.findByText('Gift approved')).toBeInTheDocument()
    })

    test('says why whoever made the account that asked has no button', async () => {
      const why = { approve: approvalRefused.tied }
      server.on(listPayouts, { data: [{ ...gift, allowed: { approve: false, withdraw: true }, why }] })
      openConsole('/', office)
      expect(await screen.findByText(/are not independent/)).toBeInTheDocument()
      expect(screen.queryByRole('button', { name: 'Approve Gift' })).not.toBeInTheDocument()
    })
  })
})

describe('giving up', () => {
  const left = (creditBalance: number, owed: number) => () =>
    refusal(409, 'credit_left', 'Something is left', { creditBalance, owed })!
  const deleted = { message: 'Parent deleted successfully' }
  /** Refuses to delete until the amounts are given up. */
  const untilGivenUp =
    (creditBalance: number, owed: number) =>
    ({ query }: Asked) =>
      query.giveUp === mwila.username ? deleted : left(creditBalance, owed)()

  beforeEach(() => {
    server = fakeServer()
    server.on(listPayouts, { data: [] })
    server.on(listParents, parentList([mwila]))
    server.on(getParentCredit, { balance: 12.5, held: 0, entries: [] })
  })

  const office = adminWith('parents_students', 'refunds')
  const pressIn = (user: ReturnType<typeof openConsole>, name: string) =>
    user.click(within(screen.getByRole('dialog')).getByRole('button', { name }))
  const open = (who = office) => openConsole('/?section=parents_students', who)
  const askToDelete = async (who = office) => {
    const user = open(who)
    await user.click(await screen.findByRole('button', { name: 'Delete mwila.banda' }))
    await screen.findByRole('dialog')
    await pressIn(user, 'Delete Parent')
    return user
  }
  const queries = () => server.asked(deleteParent).map(({ query }) => query)
  const typed = () => screen.findByLabelText('Type mwila.banda to give it up')

  describe('deleting a parent who is still owed something', () => {
    test('tells both amounts, and deletes once the username was typed', async () => {
      server.on(deleteParent, untilGivenUp(12.5, 45.5))
      const user = await askToDelete()
      const name = await typed()
      const dialog = within(screen.getByRole('dialog', { name: 'mwila.banda is still owed K58.00' }))
      expect(dialog.getByText(/of credit/)).toHaveTextContent('K12.50 of credit')
      expect(dialog.getByText(/to be paid back/)).toHaveTextContent('K45.50 to be paid back')
      await pressIn(user, 'Give Up and Delete')
      expect(await screen.findByText('Type mwila.banda, as it is written here')).toBeInTheDocument()
      await user.type(name, 'mwila.bandA')
      await pressIn(user, 'Give Up and Delete')
      expect(queries()).toEqual([{}])
      await user.clear(name)
      await user.type(name, 'mwila.banda{Enter}')
      expect(await screen.findByText('Parent deleted successfully')).toBeInTheDocument()
      expect(queries()).toEqual([{}, { force: 'true', giveUp: 'mwila.banda' }])
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    })

    test('names only what there is', async () => {
      server.on(deleteParent, left(0, 45.5))
      await askToDelete()
      await typed()
      expect(screen.getByRole('dialog', { name: 'mwila.banda is still owed K45.50' })).toBeInTheDocument()
      expect(screen.queryByText(/of credit/)).not.toBeInTheDocument()
      expect(screen.queryByRole('button', { name: 'Pay Out First' })).not.toBeInTheDocument()
      expect(screen.getByRole('link', { name: 'Refund Management' })).toHaveAttribute(
        'href',
        '/?section=refunds',
      )
    })

    test('comes after the orders, which are forced', async () => {
      server.on(deleteParent, (asked) =>
        asked.query.force === 'true'
          ? untilGivenUp(12.5, 0)(asked)
          : refusal(409, 'parent_has_orders', 'It has orders', { canForce: true, orderCount: 3 })!,
      )
      const user = await askToDelete()
      await screen.findByText('mwila.banda has 3 orders')
      await pressIn(user, 'Force Delete')
      await user.type(await typed(), 'mwila.banda')
      await pressIn(user, 'Give Up and Delete')
      expect(await screen.findByText('Parent deleted successfully')).toBeInTheDocument()
      expect(queries()).toEqual([{}, { force: 'true' }, { force: 'true', giveUp: 'mwila.banda' }])
    })

    test('can be paid out first: the dialog closes and the credit of the family is open', async () => {
      server.on(deleteParent, left(12.5, 0))
      const user = await askToDelete()
      await typed()
      await pressIn(user, 'Pay Out First')
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
      const credit = within(await screen.findByRole('region', { name: 'Credit of mwila.banda' }))
      expect(await credit.findByRole('button', { name: 'Pay Out' })).toBeInTheDocument()
      await waitFor(() => expect(screen.getByRole('region', { name: 'Credit of mwila.banda' })).toHaveFocus())
      expect(queries()).toEqual([{}])
    })

    test('is paid out by somebody else where the administrator does not manage refunds', async () => {
      server.on(deleteParent, left(12.5, 45.5))
      await askToDelete(adminWith('parents_students'))
      await typed()
      expect(
        screen.getByText(/An administrator who manages refunds can pay it out first/),
      ).toBeInTheDocument()
      expect(screen.queryByRole('button', { name: 'Pay Out First' })).not.toBeInTheDocument()
      expect(screen.queryByRole('link', { name: 'Refund Management' })).not.toBeInTheDocument()
    })

    test.each([
      [
        'the words of the server',
        () => refusal(503, 'unavailable', 'Try again in a minute'),
        'Try again in a minute',
      ],
      ['its own words without them', unanswered, 'Force deletion failed'],
    ])('that failed stays open with %s, and what was typed', async (_name, answer, text) => {
      server.on(deleteParent, (asked) => (asked.query.giveUp ? answer()! : left(12.5, 0)()))
      const user = await askToDelete()
      await user.type(await typed(), 'mwila.banda')
      await pressIn(user, 'Give Up and Delete')
      const dialog = within(screen.getByRole('dialog'))
      expect(await dialog.findByRole('alert')).toHaveTextContent(text)
      expect(await typed()).toHaveValue('mwila.banda')
    })
  })
})
