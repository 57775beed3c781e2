/**
 * The tests of one file in an entry that shares the loaded modules with others: its hooks run around its own tests only,
 * and what it keeps in the browser is gone for the next.
 */
export const story = (name: string, load: () => unknown): void => {
  describe(name, () => {
    const isInBrowser = typeof window !== 'undefined'
    // First, as in a file by itself: what the story's own hooks change must draw nothing anew.
    if (isInBrowser) afterEach(() => require('@testing-library/react').cleanup())
    load()
    if (isInBrowser) afterAll(emptyDevice)
  })
}

const emptyDevice = () => {
  window.localStorage.clear()
  window.sessionStorage.clear()
  window.history.replaceState(null, '', '/')
}
