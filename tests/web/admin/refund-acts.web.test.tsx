import { screen, waitFor, within } from '@testing-library/react'
import {
  listPayouts,
  completeRefunds,
  listRefunds,
  type ListedRefund,
  refundToCredit,
} from '#contracts/refunds'
import { fakeServer, FakeRefusal, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
import { mayComplete, mayNothing, ofMary } from './sample-refunds'
import { onePage } from './sample-settings'

const office = adminWith('refunds')
let server: FakeServer

const owed = (id: string, name: string, amount: number, more: Partial<ListedRefund> = {}): ListedRefund => ({
  id,
  orderDate: '2026-09-14T07:00:00.000Z',
  student: { name, grade: '4' },
  menuItem: { name: 'Beef Stew' },
  amount,
  status: 'cancelled',
  reason: 'The oven broke',
  dueSince: '2026-09-15T07:00:00.000Z',
  ...ofMary,
  allowed: mayComplete,
  ...more,
})
const refunds = [
  owed('a', 'Anna', 45.05),
  owed('b', 'Bupe', 40.05),
  owed('c', 'Chanda', 12, { status: 'refunded', allowed: mayNothing }),
]

beforeEach(() => {
  server = fakeServer()
  server.on(listPayouts, { data: [] })
  server.on(listRefunds, { data: refunds, metadata: { ...onePage, total: 3 } })
})
afterEach(forgetToasts)

type Hands = ReturnType<typeof openConsole>
const press = async (user: Hands, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }))
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

describe('refunds completed in bulk', () => {
  test('are those that are still owed, with their number and sum', async () => {
    server.on(completeRefunds, {
      completed: 1,
      amount: 45.05,
      skipped: [{ id: 'b', code: 'not_pending_refund', message: 'This refund was completed already' }],
    })
    const user = openConsole('/', office)
    await user.click(await screen.findByLabelText('Select all on this page'))
    expect(screen.getByText('2 refunds selected')).toBeInTheDocument()
    expect(screen.queryByLabelText(/^Select .* for Chanda/)).not.toBeInTheDocument()
    await press(user, 'Complete Selected')
    const asking = await dialog('Complete 2 refunds?')
    expect(
      asking.getByText(
        'Record that K85.10 was paid back, each in full. This moves no money and cannot be undone.',
      ),
    ).toBeInTheDocument()
    await user.selectOptions(asking.getByLabelText('Method'), 'Cash')
    await user.type(asking.getByLabelText('Reference (optional)'), 'Envelope 7')
    await press(user, 'Complete 2 Refunds')
    expect(await screen.findByText('Refunds completed')).toBeInTheDocument()
    expect(screen.getByText('1 refund completed, K45.05, 1 skipped')).toBeInTheDocument()
    expect(server.asked(completeRefunds)[0]?.body).toEqual({
      ids: ['a', 'b'],
      method: 'cash',
      reference: 'Envelope 7',
    })
    expect(screen.getByText('b: This refund was completed already')).toBeInTheDocument()
    expect(screen.queryByText(/selected$/)).not.toBeInTheDocument()
    await press(user, 'Got it')
    expect(screen.queryByText('b: This refund was completed already')).not.toBeInTheDocument()
  })

  test('are chosen one by one, and forgotten by another order of the list', async () => {
    const user = openConsole('/', office)
    const box = await screen.findByLabelText('Select Beef Stew for Anna, K45.05')
    await user.click(box)
    expect(screen.getByText('1 refund selected')).toBeInTheDocument()
    await user.click(box)
    expect(screen.queryByText('1 refund selected')).not.toBeInTheDocument()
    await user.click(box)
    await user.selectOptions(screen.getByLabelText('Sort by'), 'Amount, highest first')
    await waitFor(() => expect(screen.queryByText('1 refund selected')).not.toBeInTheDocument())
  })

  test('that fail stay selected and say why', async () => {
    server.on(completeRefunds, () => {
      throw new FakeRefusal(502, null)
    })
    const user = openConsole('/', office)
    await user.click(await screen.findByLabelText('Select all on this page'))
    await press(user, 'Complete Selected')
    await press(user, 'Complete 2 Refunds')
    expect(await screen.findByText('Failed to complete refunds')).toBeInTheDocument()
    expect(screen.getByText('2 refunds selected')).toBeInTheDocument()
  })
})

describe('a refund turned into credit', () => {
  test('is asked for first, and told', async () => {
    server.on(refundToCredit, { ...refunds[0]!, status: 'refunded', allowed: mayNothing })
    const user = openConsole('/', office)
    await press(user, 'Turn into Credit: Beef Stew for Anna')
    const asking = await dialog('Turn into credit?')
    expect(asking.getByText(/^K45\.05 for Beef Stew, ordered for Anna, becomes credit/)).toBeInTheDocument()
    expect(server.asked(refundToCredit)).toEqual([])
    await press(user, 'Turn into Credit')
    expect(await screen.findByText('Refund turned into credit')).toBeInTheDocument()
    expect(server.asked(refundToCredit)[0]?.params).toEqual({ id: 'a' })
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  test('that is refused says why', async () => {
    server.on(refundToCredit, () => refusal(409, 'not_pending_refund', 'Nothing is owed any more'))
    const user = openConsole('/', office)
    await press(user, 'Turn into Credit: Beef Stew for Anna')
    await press(user, 'Turn into Credit')
    expect(await screen.findByText('Nothing is owed any more')).toBeInTheDocument()
  })
})
