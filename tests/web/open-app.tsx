import { render, screen } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { MemoryRouter, useLocation } from 'react-router-dom'
import type { User } from '#contracts/identity'
import './admin/browser-gaps'
import { App, appQueryClient } from '../../web/app/app'
import { userQuery } from '../../web/queries/session'

const Address = () => {
  const { pathname, search } = useLocation()
  return <p data-testid="address">{`${pathname}${search}`}</p>
}

/**
 * Opens the application at this address: for this user, for nobody (null), or for whoever the server says (undefined).
 * Answers the hands of the user.
 */
export const openApp = (address = '/', user?: User | null) => {
  const queryClient = appQueryClient()
  if (user !== undefined) queryClient.setQueryData(userQuery.queryKey, user)
  render(
    <MemoryRouter initialEntries={[address]} useTransitions={false}>
      <App queryClient={queryClient} />
      <Address />
    </MemoryRouter>,
  )
  return pastingHands()
}

/** Hands that paste what they are told to type: the letters one by one matter to no screen, and cost a render each. */
const pastingHands = (): UserEvent => {
  const hands = userEvent.setup()
  const type: UserEvent['type'] = async (element, text, options) => {
    const hasKeys = /[{[]/.test(text)
    if (hasKeys) return hands.type(element, text, options)
    await hands.click(element)
    await hands.paste(text)
  }
  return { ...hands, type }
}

/** The address as the browser would show it. */
export const shownAddress = () => screen.getByTestId('address').textContent
