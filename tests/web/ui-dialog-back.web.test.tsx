import './admin/browser-gaps'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { BrowserRouter, Link, useLocation, useSearchParams } from 'react-router-dom'
import { Button } from '../../web/ui/button'
import { Dialog } from '../../web/ui/dialog'

/** A page with a dialog, and over that another one; `stays` does not let itself be closed. */
const Page = ({ stays = false }: { stays?: boolean }) => {
  const { pathname, search } = useLocation()
  const [, setQuery] = useSearchParams()
  const [open, setOpen] = useState('')
  return (
    <>
      <p data-testid="address">{pathname + search}</p>
      <Link to="/cart">Cart</Link>
      <Link to="/orders">Orders of all</Link>
      <Button onClick={() => setOpen('terms')}>Open</Button>
      <Dialog
        open={open === 'terms' || open === 'policy'}
        onClose={() => (stays ? undefined : setOpen(''))}
        title="Terms"
      >
        <Button onClick={() => setOpen('policy')}>More</Button>
        <Button onClick={() => setQuery({ kept: 'yes' }, { replace: true })}>Filter</Button>
        <Link to="/orders" onClick={() => setOpen('')}>
          Orders
        </Link>
        <Dialog open={open === 'policy'} onClose={() => setOpen('terms')} title="Refund Policy" />
      </Dialog>
      <Dialog
        open={open === 'how'}
        onClose={() => setOpen('')}
        title="How to pay"
        actions={<Button onClick={() => setOpen('')}>Done</Button>}
      />
      <Button onClick={() => setOpen('how')}>Pay</Button>
    </>
  )
}

const hands = userEvent.setup()
const press = async (name: string) =>
  act(async () => screen.getByText(name).closest<HTMLElement>('button, a')!.click())
/** Waits until the browser has gone so often in the history. */
const pops = (count: number) =>
  new Promise<void>((done) => {
    let left = count
    const onPop = () => {
      left--
      if (left > 0) return
      window.removeEventListener('popstate', onPop)
      done()
    }
    window.addEventListener('popstate', onPop)
  })
const go = (by = 0, times = 1) =>
  act(async () => {
    const arrived = pops(times)
    window.history.go(by)
    await arrived
  })
const titles = () => screen.queryAllByRole('heading').map(({ textContent }) => textContent)
const shows = (...names: string[]) => waitFor(() => expect(titles()).toEqual(names))
const address = () => screen.getByTestId('address').textContent
const held = (count: number) =>
  waitFor(() => expect((window.history.state as { opened?: number } | null)?.opened ?? 0).toBe(count))

const visit = async (stays?: boolean) => {
  // What the test before left open is left by then.
  await held(0)
  window.history.pushState(null, '', '/before')
  render(
    <BrowserRouter useTransitions={false}>
      <Page stays={stays} />
    </BrowserRouter>,
  )
  await press('Cart')
  await press('Open')
  await shows('Terms')
  await held(1)
}

describe('going back', () => {
  test('closes the dialog and stays on the page; once more leaves it', async () => {
    await visit()
    await go(-1)
    await shows()
    expect(address()).toBe('/cart')
    await go(-1)
    expect(address()).toBe('/before')
  })

  test('closes one of two at a time, the upper one first', async () => {
    await visit()
    await press('More')
    await held(2)
    await go(-1)
    await shows('Terms')
    await go(-1)
    await shows()
    expect(address()).toBe('/cart')
  })

  test('after a close by its button or Escape leaves the page with one press', async () => {
    await visit()
    await hands.keyboard('{Escape}')
    await held(0)
    await press('Pay')
    await held(1)
    await press('Done')
    await held(0)
    await go(-1)
    expect(address()).toBe('/before')
  })

  test('closes the dialog that took the place of another', async () => {
    await visit()
    await press('Pay')
    await shows('How to pay')
    await held(1)
    await go(-1)
    await shows()
    expect(address()).toBe('/cart')
  })

  test('from a page that a dialog led to leads to the page under it, with one press', async () => {
    await visit()
    await press('Orders')
    await shows()
    expect(address()).toBe('/orders')
    await go(-1, 2)
    expect(address()).toBe('/cart')
    await go(-1)
    expect(address()).toBe('/before')
  })

  test('from a page that came before the browser had left the dialog leads to the page under it', async () => {
    await visit()
    const late = jest.spyOn(window.history, 'go').mockImplementationOnce(() => undefined)
    await hands.keyboard('{Escape}')
    await shows()
    await press('Orders of all')
    await go(...late.mock.calls[0]!, 2)
    expect(address()).toBe('/orders')
    await shows()
    await go(-1, 2)
    expect(address()).toBe('/cart')
  })

  test('does not close what may not be closed, and asks it again the next time', async () => {
    await visit(true)
    await go(-1)
    await held(1)
    await shows('Terms')
    await go(-1)
    await held(1)
    expect(address()).toBe('/cart')
  })
})

test('going forward opens nothing, and leaves no entry that takes a press', async () => {
  await visit()
  await go(-1)
  await shows()
  await go(1, 2)
  await shows()
  expect(address()).toBe('/cart')
  await held(0)
  await go(-1)
  expect(address()).toBe('/before')
})

test('what is written into the address while it is open stays when it closes', async () => {
  await visit()
  await press('Filter')
  expect(address()).toBe('/cart?kept=yes')
  await hands.keyboard('{Escape}')
  await held(0)
  expect([address(), window.location.search]).toEqual(['/cart?kept=yes', '?kept=yes'])
})
