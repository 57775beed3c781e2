/** Has the browser put the hatch on the home screen in place of the portal; answers how to take that back. */
export const offerHatchForHomeScreen = (): (() => void) => {
  const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]')
  const portal = link?.getAttribute('href')
  if (!link || !portal) return () => undefined
  link.href = '/serve.webmanifest'
  return () => void (link.href = portal)
}
