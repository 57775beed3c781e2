import { screen, waitFor } from '@testing-library/react'
import { listCycles, cycleHistory } from '#contracts/cycles'
import { fakeServer } from './fake-server'
import { adminWith, openConsole } from './open-console'

test('behind an open dialog the page is out of reach, also for one that opens with its first drawing', async () => {
  const server = fakeServer()
  const metadata = {
    total: 0,
    page: 1,
    pageSize: 10,
    totalPages: 1,
    hasNextPage: false,
    hasPreviousPage: false,
  }
  server.on(listCycles, [])
  server.on(cycleHistory, { data: [], metadata })
  const user = openConsole('/', adminWith('cycles'))
  await user.click(await screen.findByRole('button', { name: 'Create New Order Cycle' }))
  await screen.findByRole('dialog', { name: 'Create Order Cycle' })
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Logout' })).not.toBeInTheDocument())
  await user.click(screen.getByRole('button', { name: 'Close' }))
  expect(await screen.findByRole('button', { name: 'Logout' })).toBeInTheDocument()
})
