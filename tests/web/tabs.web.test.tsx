import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { Tabs } from '../../web/ui/tabs'

const tabs = [
  { key: 'menu', label: 'Menu' },
  { key: 'orders', label: 'Orders', count: 3 },
  { key: 'cart', label: 'Cart' },
] as const
type Key = (typeof tabs)[number]['key']

/** A home whose cart cannot be opened. */
const Home = () => {
  const [current, setCurrent] = useState<Key>('menu')
  return (
    <>
      <Tabs
        label="Sections"
        tabs={tabs}
        current={current}
        onChange={(key) => key !== 'cart' && setCurrent(key)}
        atFoot
      >
        <p>{`This is ${current}`}</p>
        {current === 'menu' ? (
          <button type="button" onClick={() => setCurrent('orders')}>
            See orders
          </button>
        ) : null}
      </Tabs>
      <button type="button">After</button>
    </>
  )
}

const tab = (name: string) => screen.getByRole('tab', { name })
const open = () => {
  render(<Home />)
  return userEvent.setup()
}

test('the tabs name their list and the panel of the current one', () => {
  open()
  expect(screen.getByRole('tablist', { name: 'Sections' })).toHaveClass('tabs', 'tabs-foot')
  expect(screen.getAllByRole('tab').map((one) => one.ariaSelected)).toEqual(['true', 'false', 'false'])
  const panel = screen.getByRole('tabpanel', { name: 'Menu' })
  expect([tab('Menu').getAttribute('aria-controls'), panel.textContent]).toEqual([
    panel.id,
    'This is menuSee orders',
  ])
  expect(tab('Orders 3')).toHaveTextContent('Orders3')
})

test('the keyboard stops once, at the current tab, then in the panel', async () => {
  const hands = open()
  await hands.tab()
  expect(tab('Menu')).toHaveFocus()
  await hands.tab()
  expect(screen.getByRole('button', { name: 'See orders' })).toHaveFocus()
})

test.each([
  ['{ArrowRight}', 'Orders 3'],
  ['{ArrowRight}{ArrowLeft}', 'Menu'],
  ['{ArrowRight}{Home}', 'Menu'],
  ['{PageDown}{ArrowRight}', 'Menu'],
  ['{ArrowLeft}', 'Cart'],
  ['{End}', 'Cart'],
])('%s moves to %s', async (keys, name) => {
  const hands = open()
  await hands.tab()
  await hands.keyboard(keys)
  expect(tab(name)).toHaveFocus()
})

test('a tab that may not be opened yet stays unselected', async () => {
  const hands = open()
  await hands.click(tab('Cart'))
  expect([tab('Cart').ariaSelected, screen.getByRole('tabpanel').textContent]).toEqual([
    'false',
    'This is menuSee orders',
  ])
})

test('a button of a panel that leaves with it hands the focus to the new tab', async () => {
  const hands = open()
  await hands.click(screen.getByRole('button', { name: 'See orders' }))
  expect(screen.getByRole('tabpanel', { name: 'Orders 3' })).toHaveTextContent('This is orders')
  expect(tab('Orders 3')).toHaveFocus()
})
