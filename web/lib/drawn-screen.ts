/**
 * The screen that came drawn with the page and has yet to be taken over by its scripts; null once it has been. Until then
 * the page itself holds back what is pressed and submitted (index.html).
 */
const drawnScreen = (): HTMLElement | null =>
  typeof document === 'undefined' ? null : document.querySelector('#root[data-screen]')

/** What somebody has typed into the drawn screen before its scripts came. */
export const typedBefore = (name: string): string =>
  drawnScreen()?.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.value ?? ''

/** From now on the scripts hear everything; what was pressed or submitted before is so now. */
export const takeOverDrawn = (): void => {
  const screen = drawnScreen()
  if (!screen) return
  screen.removeAttribute('data-screen')
  held(screen, 'data-pressed')?.click()
  held<HTMLFormElement>(screen, 'data-submitted')?.requestSubmit()
}

const held = <Held extends HTMLElement>(screen: HTMLElement, mark: string): Held | null => {
  const found = screen.querySelector<Held>(`[${mark}]`)
  found?.removeAttribute(mark)
  return found
}
