import { screen, waitFor, within } from '@testing-library/react'
import {
  pendingPayments,
  confirmStatement,
  ignoreStatementRow,
  undoStatementRow,
  unignoreStatementRow,
} from '#contracts/transfers'
import { find } from '#contracts/find'
import { fakeServer, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole } from './open-console'
import {
  exact,
  foundByName,
  ignored,
  likely,
  openRow,
  row,
  serveRows,
  serveStatements,
} from './sample-statements'

const office = adminWith('pending_payments')
const short = {
  ...openRow,
  named: {
    references: ['LP-7K3QW9'],
    orderIds: ['a', 'b'],
    parents: [exact.match!.parent],
    amount: 120,
  },
}
const opened = '/?tab=statements&statement=7'
let server: FakeServer

beforeEach(() => {
  server = fakeServer()
  serveStatements(server)
})
afterEach(forgetToasts)

type Hands = ReturnType<typeof openConsole>
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const press = async (user: Hands, name: string | RegExp) => user.click(await button(name))
const rowOf = async (payer: string) => within((await screen.findByText(payer)).closest('tr')!)
const sentRows = () => server.asked(confirmStatement).map(({ body }) => body)
const choose = async (user: Hands, payer = 'PAYER 3') => {
  await press(user, new RegExp(`^Choose meals: .*${payer}`))
  return within(await screen.findByRole('dialog'))
}

describe('confirming', () => {
  test('all exact rows asks once; what was left as it was is told row by row', async () => {
    server.on(confirmStatement, {
      confirmed: 3,
      skipped: [
        { rowId: exact.id, code: 'order_paid', message: 'The meal is paid already' },
        { rowId: row(9, {}).id, code: 'short', message: 'K5.00 is missing' },
      ],
    })
    const user = openConsole(opened, office)
    await press(user, 'Confirm all exact (1)')
    const asked = within(await screen.findByRole('dialog', { name: 'Confirm 1 exact row?' }))
    await user.click(asked.getByRole('button', { name: 'Yes, Confirm' }))
    expect(await screen.findByText('3 rows confirmed')).toBeInTheDocument()
    expect(sentRows()).toEqual([{ allExact: true }])
    expect(screen.getByText('2 rows left as it was')).toBeInTheDocument()
    expect(
      screen.getByText('K45.50 from PAYER 1, 15 Sep 2026, 09:05: The meal is paid already'),
    ).toBeInTheDocument()
    expect(screen.getByText('A row on another page: K5.00 is missing')).toBeInTheDocument()
    expect((await rowOf('PAYER 1')).getByText('The meal is paid already')).toBeInTheDocument()
  })

  test('the likely ones that were chosen sends just these', async () => {
    const user = openConsole(opened, office)
    await user.click(await screen.findByRole('checkbox', { name: 'All likely ones shown' }))
    expect(screen.getByText('1 row, K50.00')).toBeInTheDocument()
    await press(user, 'Confirm Chosen')
    await screen.findByText('1 row confirmed')
    expect(sentRows()).toEqual([{ allLikely: [likely.id] }])
  })

  test('one row takes one press, leads to the next one, and can be undone', async () => {
    server.on(undoStatementRow, { message: 'ok' })
    const user = openConsole(opened, office)
    await press(user, /^Confirm: .*PAYER 1/)
    await screen.findByText(/^Confirmed: K45\.50 from PAYER 1/)
    expect(sentRows()).toEqual([{ rows: [{ rowId: exact.id, orderIds: ['a'] }] }])
    await waitFor(async () => expect(await button(/^Confirm: .*PAYER 2/)).toHaveFocus())
    await press(user, 'Undo')
    await screen.findByText(/^Undone: K45\.50 from PAYER 1/)
    expect(server.asked(undoStatementRow)[0]?.params).toEqual({ id: exact.id })
  })

  test('rows that pay for the same meals are confirmed together', async () => {
    const [one, other] = [1, 4].map((at) => row(at, { state: 'suggested', match: exact.match }))
    serveRows(server, one!, likely, other!)
    const user = openConsole(opened, office)
    await press(user, /^Confirm: .*PAYER 1/)
    await screen.findByText(/^Confirmed:/)
    expect(sentRows()).toEqual([
      {
        rows: [
          { rowId: one!.id, orderIds: ['a'] },
          { rowId: other!.id, orderIds: ['a'] },
        ],
      },
    ])
  })

  test('a row that brings more than is unpaid on its reference takes one press; the rest becomes credit', async () => {
    serveRows(server, { ...short, amount: 130 })
    const user = openConsole(opened, office)
    expect(await screen.findByText(/K10\.00 more came and becomes credit/)).toBeInTheDocument()
    await press(user, /^Confirm: .*PAYER 3/)
    await screen.findByText(/^Confirmed:/)
    expect(sentRows()).toEqual([{ rows: [{ rowId: short.id, orderIds: ['a', 'b'] }] }])
  })

  test('a confirmed row is undone, or says why not', async () => {
    server.on(undoStatementRow, () => refusal(409, 'meal_eaten', 'One of its meals has already been served'))
    const user = openConsole(opened, office)
    await press(user, /^Undo: .*PAYER 4/)
    expect(await screen.findByText('One of its meals has already been served')).toBeInTheDocument()
  })

  test('a row that is none of ours is ignored, and brought back', async () => {
    server.on(ignoreStatementRow, { message: 'ok' })
    server.on(unignoreStatementRow, { message: 'ok' })
    const user = openConsole(opened, office)
    await press(user, /^Ignore: .*PAYER 3/)
    await screen.findByText(/^Ignored: K100\.00 from PAYER 3/)
    await press(user, 'Undo')
    await screen.findByText(/^Brought back: K100\.00 from PAYER 3/)
    await press(user, /^Bring back: .*PAYER 5/)
    await screen.findByText(/^Brought back: K45\.50 from PAYER 5/)
    expect(server.asked(unignoreStatementRow).map(({ params }) => params)).toEqual([
      { id: openRow.id },
      { id: ignored.id },
    ])
  })
})

describe('choosing by hand what a row pays', () => {
  test('meals of two families; the rest becomes the credit of one of them', async () => {
    const user = openConsole(opened, office)
    const dialog = await choose(user)
    expect(dialog.getByText('What does K100.00 pay?')).toBeInTheDocument()
    await user.click(await dialog.findByRole('checkbox', { name: /Meal b/ }))
    expect(dialog.getByText(/the other K40\.00 becomes credit of Mary Banda/)).toBeInTheDocument()
    await user.click(dialog.getByRole('checkbox', { name: /Meal c/ }))
    expect(dialog.getByRole('button', { name: 'Confirm 2 meals' })).toBeDisabled()
    await user.selectOptions(dialog.getByLabelText('Whose credit is the K10.00 left over?'), 'peter')
    await user.click(dialog.getByRole('button', { name: 'Confirm 2 meals' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(sentRows()).toEqual([{ rows: [{ rowId: openRow.id, orderIds: ['b', 'c'], surplusTo: 2 }] }])
  })

  test('the search begins with the reference that the payer wrote', async () => {
    serveRows(server, short)
    const user = openConsole(opened, office)
    expect(await screen.findByText('K120.00 is unpaid on LP-7K3QW9: K20.00 is missing')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: /^Confirm: / })).not.toBeInTheDocument()
    await choose(user)
    expect(server.asked(pendingPayments)[0]?.query).toMatchObject({ text: 'LP-7K3QW9' })
  })

  test('more meals than the money pays cannot be confirmed', async () => {
    const user = openConsole(opened, office)
    const dialog = await choose(user)
    await user.click(await dialog.findByRole('checkbox', { name: 'Select all of mary' }))
    expect(dialog.getByText(/K5\.50 is missing/)).toBeInTheDocument()
    expect(dialog.getByRole('button', { name: 'Confirm 2 meals' })).toBeDisabled()
  })

  test('no meals: all of it becomes credit of a family', async () => {
    const user = openConsole(opened, office)
    const dialog = await choose(user)
    await user.selectOptions(await dialog.findByLabelText('Or make all K100.00 the credit of'), '1')
    await user.click(dialog.getByRole('button', { name: 'Make It Credit' }))
    await waitFor(() =>
      expect(sentRows()).toEqual([{ rows: [{ rowId: openRow.id, orderIds: [], surplusTo: 1 }] }]),
    )
  })

  test('a meal that lapsed is found and chosen, and a family that has nothing to pay', async () => {
    server.on(find, foundByName)
    const user = openConsole(opened, office)
    const dialog = await choose(user)
    await user.type(dialog.getByLabelText('Search parent, student, meal or reference'), 'zulu')
    const lapsed = await dialog.findByRole('checkbox', { name: /^Stew for Zed, 10 September 2026.*K45\.50$/ })
    expect(dialog.queryByRole('checkbox', { name: /^Rice/ })).not.toBeInTheDocument()
    const credit = dialog.getByLabelText('Or make all K100.00 the credit of')
    expect(within(credit).getByRole('option', { name: 'Zoe Zulu (zulu)' })).toBeInTheDocument()
    await user.click(lapsed)
    await user.click(dialog.getByRole('button', { name: 'Confirm 1 meal' }))
    await waitFor(() => expect(sentRows()).toEqual([{ rows: [{ rowId: openRow.id, orderIds: ['lapsed'] }] }]))
  })

  test('what the server leaves as it was is said in the dialog, which stays', async () => {
    server.on(confirmStatement, {
      confirmed: 0,
      skipped: [{ rowId: likely.id, code: 'order_paid', message: 'The meal is paid already' }],
    })
    const user = openConsole(opened, office)
    const dialog = await choose(user, 'PAYER 2')
    expect(server.asked(pendingPayments)[0]?.query).toMatchObject({ text: 'LP-7K3QW9' })
    await user.click(await dialog.findByRole('checkbox', { name: /Meal a/ }))
    await user.click(dialog.getByRole('button', { name: 'Confirm 1 meal' }))
    expect(await dialog.findByText('The meal is paid already')).toBeInTheDocument()
  })
})
