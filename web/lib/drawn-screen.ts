/**
 * The screen that came drawn with the page and has yet to be taken over by its scripts; null once it has been. Until then
 * the page itself holds back what is submitted (index.html).
 */
const drawnScreen = (): HTMLElement | null =>
  typeof document === 'undefined' ? null : document.querySelector('#root[data-screen]')

/** What somebody has typed into the drawn screen before its scripts came. */
export const typedBefore = (name: string): string =>
  drawnScreen()?.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.value ?? ''

/** From now on the scripts hear everything; a form that was submitted before is submitted now. */
export const takeOverDrawn = (): void => {
  const screen = drawnScreen()
  if (!screen) return
  const isSubmitted = screen.hasAttribute('data-submitted')
  screen.removeAttribute('data-screen')
  screen.removeAttribute('data-submitted')
  if (isSubmitted) screen.querySelector('form')?.requestSubmit()
}
