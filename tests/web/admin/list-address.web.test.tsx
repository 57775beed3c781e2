import './browser-gaps'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter, useLocation, useNavigate } from 'react-router-dom'
import { useListAddress } from '../../../web/lib/list-address'
import { StackedTable } from '../../../web/ui/data-table'

const keys = ['time', 'amount'] as const
const newest = { sort: 'time', direction: 'desc' } as const
const columns = [
  { label: 'Time', by: 'time' },
  { label: 'Amount', by: 'amount' },
  { label: 'Details' },
] as const

const List = () => {
  const list = useListAddress<(typeof keys)[number]>(keys, newest)
  const go = useNavigate()
  return (
    <>
      <p data-testid="address">{useLocation().search}</p>
      <p data-testid="asked">{JSON.stringify(list.query)}</p>
      <StackedTable label="Things" columns={columns} sorted={list.sorted}>
        {null}
      </StackedTable>
      <button type="button" onClick={() => list.onPage(list.page + 1)}>
        Next
      </button>
      <button type="button" onClick={() => list.onFilter({ status: 'Failed', who: null })}>
        Failed only
      </button>
      <button type="button" onClick={() => list.onTyped({ who: 'mwila' })}>
        Type
      </button>
      <button type="button" onClick={() => void go(-1)}>
        Back
      </button>
    </>
  )
}

const open = (address: string) => {
  render(
    <MemoryRouter initialEntries={[address]}>
      <List />
    </MemoryRouter>,
  )
  const user = userEvent.setup()
  return (name: string) => user.click(screen.getByRole('button', { name }))
}
const address = () => screen.getByTestId('address').textContent
const asked = () => JSON.parse(screen.getByTestId('asked').textContent) as unknown
const order = (label: string) => screen.getByRole('columnheader', { name: label }).getAttribute('aria-sort')

test('an address without anything asks for the first page in the usual order, without naming it', () => {
  open('/?section=x')
  expect(asked()).toEqual({ page: 1 })
  expect([order('Time'), order('Amount'), order('Details')]).toEqual(['descending', 'none', null])
})

test('a head sorts, pressed again it turns the list round; the order is in the address and starts on page 1', async () => {
  const press = open('/?section=x&page=3')
  await press('Amount')
  expect(address()).toBe('?section=x&sort=amount')
  expect(asked()).toEqual({ page: 1, sort: 'amount', direction: 'asc' })
  expect([order('Time'), order('Amount')]).toEqual(['none', 'ascending'])
  await press('Amount')
  expect(address()).toBe('?section=x&sort=amount&direction=desc')
  expect(order('Amount')).toBe('descending')
})

test('a shared address is read as it was made; what is no page, key or direction counts as not there', () => {
  open('/?page=2&sort=amount&direction=desc')
  expect(asked()).toEqual({ page: 2, sort: 'amount', direction: 'desc' })
})

test.each(['/?page=0&sort=colour', '/?page=x&direction=desc', '/?page=-1'])(
  '%s asks for the usual',
  (wrong) => {
    open(wrong)
    expect(asked()).toEqual({ page: 1 })
  },
)

test('a filter starts on page 1 and keeps the order; Back leads to what was shown before, page and all', async () => {
  const press = open('/?sort=amount&who=anna')
  await press('Next')
  await press('Failed only')
  expect(address()).toBe('?sort=amount&status=Failed')
  await press('Back')
  expect(address()).toBe('?sort=amount&who=anna&page=2')
  await press('Back')
  expect(asked()).toEqual({ page: 1, sort: 'amount', direction: 'asc' })
})

test('what is typed takes the place of what was typed before', async () => {
  const press = open('/?who=mw')
  await press('Next')
  await press('Type')
  expect(address()).toBe('?who=mwila')
  await press('Back')
  expect(address()).toBe('?who=mw')
})
