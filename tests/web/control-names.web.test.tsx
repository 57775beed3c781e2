import { screen, within } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import { mealMarks } from '#contracts/health'
import { listStudents } from '#contracts/identity'
import { listOrders } from '#contracts/ordering'
import { setSchoolNow } from '../../web/lib/school-moment'
import type { FakeServer } from './admin/fake-server'
import { forBwalya, meal, openCart } from './cart-screen'
import { freshPortal, openPortal, press } from './open-portal'
import { burger, bwalya, chanda, order, parent, pizza, stew } from './sample-family'

const roles = ['button', 'link', 'combobox', 'textbox', 'checkbox', 'switch', 'spinbutton', 'tab'] as const

/** Names that several controls have; links to one address are one. */
const sharedNames = (): string[] => {
  const found = new Map<string, Set<Element | string>>()
  for (const role of roles)
    screen.queryAllByRole(role, {
      name: (name, control) => {
        if (control.hasAttribute('data-headlessui-focus-guard')) return false
        const key = `${role} ${name}`
        found.set(key, (found.get(key) ?? new Set()).add(control.getAttribute('href') ?? control))
        return false
      },
    })
  expect(found.size).toBeGreaterThan(3)
  return [...found].flatMap(([name, controls]) => (controls.size > 1 || name.endsWith(' ') ? [name] : []))
}

let server: FakeServer

describe('control names', () => {
  beforeEach(() => {
    server = freshPortal()
    setSchoolNow('2026-09-14T05:30:00.000Z')
    server.on(listStudents, [chanda, bwalya])
    server.on(listMenu, [{ ...stew, daysOfWeek: [1, 2, 5] }, pizza, { ...burger, daysOfWeek: [1, 2] }])
  })

  test('the menu of a week', async () => {
    openPortal('/', parent)
    await screen.findAllByRole('button', { name: /^Add / })
    expect(sharedNames()).toEqual([])
  })

  test('the plan of a week for two children', async () => {
    const hands = openPortal('/', parent)
    await press(hands, 'Order this week')
    const plan = within(await screen.findByRole('dialog'))
    expect((await plan.findAllByLabelText('Protein')).length).toBeGreaterThan(2)
    expect(sharedNames()).toEqual([])
    const protein = plan.getAllByLabelText('Protein')[0]!
    expect(protein).toHaveAccessibleName('Protein of Stew for Chanda on Monday 14 September')
  })

  test('a cart with meals that the children must not eat', async () => {
    const mustNot = { allergies: ['Peanuts'], diet: 'none' as const }
    server.on(mealMarks, { rule: 'warn', students: [{ studentId: chanda.id, ...mustNot }] })
    server.on(listMenu, [{ ...stew, daysOfWeek: [1, 2], allergens: ['peanuts'] }])
    await openCart([meal(), meal({ dayOfWeek: 2 }), meal(forBwalya)])
    expect(await screen.findAllByRole('button', { name: /^Order It All the Same: / })).toHaveLength(2)
    expect(sharedNames()).toEqual([])
    expect(
      screen.getByRole('textbox', { name: 'Special instructions for Stew on Tuesday of week 2 for Chanda' }),
    ).toBeInTheDocument()
  })

  test('orders that can be changed and cancelled, and the change of one', async () => {
    const allowed = { cancel: true, change: true, move: true }
    server.on(listOrders, [
      order({ id: '1.2026-09-21.1', mealDate: '2026-09-21', weekNumber: 3, allowed }),
      order({ id: '1.2026-09-22.1', mealDate: '2026-09-22', weekNumber: 3, dayOfWeek: 2, allowed }),
      order({
        id: '2.2026-09-21.1',
        mealDate: '2026-09-21',
        weekNumber: 3,
        studentId: 2,
        student: { name: 'Bwalya', grade: '8' },
        allowed,
      }),
    ])
    const hands = openPortal('/?tab=orders', parent)
    expect(await screen.findAllByRole('button', { name: /^Cancel Order: / })).toHaveLength(3)
    expect(sharedNames()).toEqual([])
    await press(hands, 'Change Meal: Stew for Bwalya on Monday, 21 September')
    expect(await screen.findByRole('dialog')).toBeInTheDocument()
    expect(sharedNames()).toEqual([])
  })
})
