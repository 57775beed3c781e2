import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { BrowserRouter, Link, useLocation, useSearchParams } from 'react-router-dom'
import './admin/browser-gaps'
import { toast } from '../../web/lib/toast'
import { Button } from '../../web/ui/button'
import { ConfirmDialog } from '../../web/ui/confirm-dialog'
import { Dialog } from '../../web/ui/dialog'
import { Toasts } from '../../web/ui/toasts'

describe('ui dialog', () => {
  const Page = () => {
    const [open, setOpen] = useState(false)
    return (
      <>
        <Button onClick={() => setOpen(true)}>Open</Button>
        <Dialog
          open={open}
          onClose={() => setOpen(false)}
          title="Refund Policy"
          actions={<Button onClick={() => setOpen(false)}>Done</Button>}
        >
          <input aria-label="Name" />
        </Dialog>
        <Toasts />
      </>
    )
  }

  const opened = async () => {
    const hands = userEvent.setup()
    render(<Page />)
    await hands.click(screen.getByRole('button', { name: 'Open' }))
    return { hands, dialog: await screen.findByRole('dialog', { name: 'Refund Policy' }) }
  }
  const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())

  test('Tab goes round inside and never out to the page', async () => {
    const { hands, dialog } = await opened()
    const seen = new Set<Element | null>()
    for (let step = 0; step < 6; step++) {
      await hands.tab()
      expect(dialog.contains(document.activeElement)).toBe(true)
      seen.add(document.activeElement)
    }
    const stops = ['Close', 'Name', 'Done'].map(
      (name) => screen.queryByLabelText(name) ?? screen.getByText(name).closest('button'),
    )
    for (const stop of stops) expect(seen).toContain(stop)
  })

  const Asking = () => {
    const [asked, setAsked] = useState(false)
    return (
      <Dialog open title="Closed day" onClose={() => undefined}>
        {asked ? <p>Are you sure?</p> : <Button onClick={() => setAsked(true)}>Undo</Button>}
      </Dialog>
    )
  }

  test('keeps the focus when what was pressed gives way to something else', async () => {
    const hands = userEvent.setup()
    render(<Asking />)
    const dialog = await screen.findByRole('dialog', { name: 'Closed day' })
    screen.getByRole('button', { name: 'Undo' }).focus()
    await hands.keyboard('{Enter}')
    expect(await screen.findByText('Are you sure?')).toBeInTheDocument()
    await waitFor(() => expect(dialog).toHaveFocus())
  })

  test('Escape closes it, and the focus is back on what opened it', async () => {
    const { hands } = await opened()
    await hands.keyboard('{Escape}')
    await isClosed()
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Open'))
  })

  test('the page under it does not scroll while it is open', async () => {
    const { hands } = await opened()
    await waitFor(() => expect(document.documentElement.style.overflow).toBe('hidden'))
    await hands.click(screen.getByRole('button', { name: 'Done' }))
    await isClosed()
    await waitFor(() => expect(document.documentElement.style.overflow).not.toBe('hidden'))
  })

  test('its buttons stand outside of what scrolls', async () => {
    const { dialog } = await opened()
    const scrolling = screen.getByLabelText('Name').closest('.overflow-y-auto')!
    expect(dialog.contains(scrolling)).toBe(true)
    expect(scrolling.contains(screen.getByRole('button', { name: 'Done' }))).toBe(false)
    expect(scrolling.contains(screen.getByRole('button', { name: 'Close' }))).toBe(false)
  })

  test('a notification over it is reached by F8; Escape there dismisses the notification alone', async () => {
    const { hands, dialog } = await opened()
    await hands.click(screen.getByLabelText('Name'))
    act(() => toast({ title: 'Error', kind: 'error' }))
    await hands.keyboard('{F8}')
    expect(screen.getByRole('button', { name: 'Dismiss' })).toHaveFocus()
    await hands.keyboard('{Escape}')
    expect(screen.getByRole('alert').dataset.state).toBe('leaving')
    expect(dialog.isConnected).toBe(true)
    expect(screen.getByLabelText('Name')).toHaveFocus()
  })

  test('a question names what it does, has the safe button first, and cannot be answered twice', async () => {
    const hands = userEvent.setup()
    const onConfirm = jest.fn()
    const question = (busy: boolean) => (
      <ConfirmDialog
        open
        danger
        busy={busy}
        busyLabel="Deleting"
        title="Delete “Beef Stew”?"
        confirm="Delete"
        onConfirm={onConfirm}
        onClose={() => undefined}
      >
        Nobody’s lunch changes.
      </ConfirmDialog>
    )
    const { rerender } = render(question(false))
    const dialog = await screen.findByRole('dialog', { name: 'Delete “Beef Stew”?' })
    expect(dialog.textContent).toContain('Nobody’s lunch changes.')
    const names = screen
      .getAllByRole('button')
      .map((one) => one.textContent || one.getAttribute('aria-label'))
    expect(names.slice(-2)).toEqual(['Cancel', 'Delete'])
    await hands.click(screen.getByRole('button', { name: 'Delete' }))
    expect(onConfirm).toHaveBeenCalledTimes(1)
    rerender(question(true))
    await hands.click(screen.getByRole('button', { name: 'Deleting' }))
    expect(onConfirm).toHaveBeenCalledTimes(1)
  })
})

describe('ui dialog back', () => {
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
})

test('a notification over an open dialog can be read and dismissed, and the dialog stays', async () => {
  render(
    <>
      <Dialog open onClose={() => undefined} title="Mark as Refunded">
        <button type="button">Inside</button>
      </Dialog>
      <Toasts />
    </>,
  )
  const dialog = await screen.findByRole('dialog', { name: 'Mark as Refunded' })
  act(() => toast({ title: 'Error', text: 'The bank is away', kind: 'error' }))
  const notification = screen.getByRole('alert')
  expect(notification.closest('[inert], [aria-hidden="true"]')).toBeNull()
  await userEvent.setup().click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(notification.dataset.state).toBe('leaving')
  expect(dialog.isConnected).toBe(true)
})
