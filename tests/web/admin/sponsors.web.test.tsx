import { fireEvent, screen, within } from '@testing-library/react'
import { getCycleLength, listCycles } from '#contracts/cycles'
import { roll } from '#contracts/enrolment'
import { kitchenToday } from '#contracts/kitchen'
import { noLunchReport, sponsoredReport, type NoLunchClass } from '#contracts/lunch-reports'
import { revenueStats } from '#contracts/order-reports'
import { setSchoolNow } from '../../../web/lib/school-moment'
import { type FakeServer, fakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { onePage } from './sample-settings'

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
  setSchoolNow('2026-09-15T08:00:00+02:00')
})
afterEach(forgetToasts)

describe('no lunch ordered', () => {
  const date = '2026-09-15'
  const ofClass = (students: NoLunchClass['students']): NoLunchClass => ({
    class: '3B',
    ...counts,
    students,
  })
  const counts = { children: 3, ordered: 1, absent: 1, without: 1 }
  const serve = (students: NoLunchClass['students']) =>
    server.on(noLunchReport, { date, classes: [ofClass(students)], totals: counts })

  beforeEach(() => {
    server.on(getCycleLength, { cycleLength: 4 })
    server.on(listCycles, [])
    server.on(kitchenToday, { date, data: [], metadata: onePage, totals: [], allergies: null, planned: [] })
  })

  test('is opened in the Kitchen View, and names children with their discount', async () => {
    serve([{ id: 31, name: 'Chipo Banda', discountPercentage: 60 }])
    const user = openConsole('/?section=kitchen', adminWith('kitchen', 'parents_students'))
    await user.click(await screen.findByRole('button', { name: 'No lunch ordered' }))
    expect(await screen.findByRole('heading', { name: /^No lunch ordered · / })).toBeInTheDocument()
    expect(await screen.findAllByText('3 children · 1 ordered · 1 absent · 1 without')).toHaveLength(2)
    expect(screen.getByText('Chipo Banda')).toHaveTextContent('Chipo Banda · 60% off')
    expect(shownAddress()).toContain('without=2026-09-15')
    fireEvent.change(screen.getByLabelText('Day'), { target: { value: '2026-09-16' } })
    expect(shownAddress()).toContain('without=2026-09-16')
    await user.click(screen.getByRole('button', { name: 'Back to portions' }))
    expect(shownAddress()).not.toContain('without')
  })

  test('leads from a child to the counter of its family, if an account has it', async () => {
    serve([{ id: 31, name: 'Chipo Banda', discountPercentage: 0 }])
    const entry = {
      id: 31,
      name: 'Chipo Banda',
      grade: '4' as const,
      class: null,
      admissionNumber: null,
      guardian: null,
      onRoll: true,
      leftAt: null,
      version: 'v',
    }
    const found = (parent: { id: number; username: string; name: string } | null) =>
      server.on(roll, { data: [{ ...entry, parent }], metadata: onePage, classes: [] })
    found(null)
    const admin = adminWith('kitchen', 'parents_students')
    const user = openConsole('/?section=kitchen&without=2026-09-15', admin)
    await user.click(await screen.findByRole('button', { name: 'Order for this family' }))
    expect(await screen.findByText('No account has Chipo Banda.')).toBeInTheDocument()
    found({ id: 7, username: 'mwila.banda', name: 'Mwila Banda' })
    await user.click(screen.getByRole('button', { name: 'Order for this family' }))
    await screen.findByText(/./, { selector: 'h1' })
    expect(shownAddress()).toContain('/families/7')
  })

  test('is a tab of Parents & Students for who has no Kitchen View', async () => {
    serve([{ id: 31, name: 'Chipo Banda', discountPercentage: 0 }])
    const user = openConsole('/?section=parents_students&tab=import', adminWith('parents_students'))
    await user.click(await screen.findByRole('tab', { name: 'No lunch ordered' }))
    expect(await screen.findByRole('heading', { name: /^No lunch ordered · Tuesday/ })).toBeInTheDocument()
    expect(await screen.findByRole('button', { name: 'Order for this family' })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Back to portions' })).not.toBeInTheDocument()
    fireEvent.change(screen.getByLabelText('Day'), { target: { value: '2026-09-16' } })
    expect(shownAddress()).toContain('tab=no-lunch&without=2026-09-16')
    expect(server.asked(noLunchReport).at(-1)).toMatchObject({ query: { date: '2026-09-16' } })
  })

  test('is no tab where the Kitchen View has it', async () => {
    const both = adminWith('kitchen', 'parents_students')
    openConsole('/?section=parents_students&tab=import', both)
    expect(await screen.findByRole('tab', { name: 'Import' })).toBeInTheDocument()
    expect(screen.queryByRole('tab', { name: 'No lunch ordered' })).not.toBeInTheDocument()
  })

  test('names nobody to the kitchen alone', async () => {
    serve(null)
    openConsole('/?section=kitchen&without=2026-09-15', adminWith('kitchen'))
    expect(await screen.findAllByText('3 children · 1 ordered · 1 absent · 1 without')).toHaveLength(2)
    expect(screen.queryByRole('button', { name: 'Order for this family' })).not.toBeInTheDocument()
  })
})

describe('sponsored lunches', () => {
  const figures = { children: 2, meals: 5, days: 4, fullPrice: 200, sponsored: 120, paidByFamilies: 80 }

  test('stand beside the revenue, by sponsor, with children for who may see them', async () => {
    server.on(revenueStats, () => {
      throw new Error('Not asked here')
    })
    server.on(sponsoredReport, ({ query }) => ({
      rows: [
        {
          sponsor: 'Rotary',
          discountPercentage: 60,
          ...figures,
          ...((query as { names?: boolean })?.names && {
            students: [{ id: 31, name: 'Chipo Banda', grade: '4', class: '4A', meals: 5, sponsored: 120 }],
          }),
        },
        { sponsor: null, discountPercentage: 10, ...figures },
      ],
      totals: figures,
    }))
    const user = openConsole('/?section=revenue', adminWith('revenue', 'parents_students'))
    const table = within((await screen.findAllByLabelText('Sponsored lunches'))[0]!)
    expect(table.getAllByRole('row')[1]).toHaveTextContent('Rotary · 60%254K200.00K120.00K80.00')
    expect(table.getByText('No sponsor named')).toBeInTheDocument()
    await user.click(screen.getByRole('checkbox', { name: 'Name children' }))
    expect(await screen.findByText('Chipo Banda, 4A: 5 meals, K120.00')).toBeInTheDocument()
    await user.selectOptions(screen.getByLabelText('Counted'), 'By date of booking')
    const asked = server.asked(sponsoredReport).map(({ query }) => query)
    expect(asked[0]).toEqual({ from: '2026-09-01', to: '2026-09-15', by: 'lunch' })
    expect(asked.at(-1)).toMatchObject({ by: 'booking', names: true })
  })
})
