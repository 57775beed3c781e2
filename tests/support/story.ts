/**
 * The tests of one file in an entry that shares the loaded modules with others: its hooks run around its own tests only,
 * and what it keeps in the browser is gone for the next.
 */
export const story = (name: string, load: () => unknown): void => {
  describe(name, () => {
    load()
    afterAll(emptyDevice)
  })
}

const emptyDevice = () => {
  if (typeof window === 'undefined') return
  window.localStorage.clear()
  window.sessionStorage.clear()
  window.history.replaceState(null, '', '/')
}
