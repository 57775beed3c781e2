const prefix = 'tuckshop-'
const ownKey = `${prefix}own-device`
const signedOutKey = `${prefix}signed-out`
const signedInKey = `${prefix}signed-in`

/** Whether somebody said at the login that this device is theirs alone. */
export const isOwnDevice = (): boolean => localStorage.getItem(ownKey) === 'yes'

export const setOwnDevice = (own: boolean): void => {
  if (own) localStorage.setItem(ownKey, 'yes')
  else localStorage.removeItem(ownKey)
}

/** After signing out: removes the carts and whatever else the portal keeps in this browser, unless the device is one's own; other tabs hear of it. */
export const forgetAfterSignOut = (): void => {
  if (!isOwnDevice())
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
  localStorage.setItem(signedOutKey, String(Date.now()))
}

/** Calls `act` when another tab has signed out; answers how to stop. */
export const onSignedOutElsewhere = (act: () => void): (() => void) => {
  const listener = ({ key, newValue }: StorageEvent) => {
    if (key === signedOutKey && newValue !== null) act()
  }
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}

/** Tells the other tabs who has signed in: what they do from now on would be done as that user. */
export const tellSignedIn = (userId: number): void =>
  localStorage.setItem(signedInKey, `${userId} ${Date.now()}`)

/** Calls `act` with the id of whoever has signed in in another tab; answers how to stop. */
export const onSignedInElsewhere = (act: (userId: number) => void): (() => void) => {
  const listener = ({ key, newValue }: StorageEvent) => {
    if (key === signedInKey && newValue !== null) act(Number.parseInt(newValue, 10))
  }
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}
