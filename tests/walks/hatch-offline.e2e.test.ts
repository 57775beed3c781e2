import { openBrowser } from '../support/browser'
import { atTheHatch, giving } from '../support/hatch-device'
import { shown } from '../support/on-page'
import { startSchool } from '../support/school'

test('without a network the hatch opens and shows its list: loaded again, closed and opened, with the server stopped', async () => {
  const school = await startSchool({
    at: '2026-09-14T06:00:00+02:00',
    webRoot: `${__dirname}/../../dist/web`,
  })
  const browser = await openBrowser()
  const { page, context, close } = await atTheHatch(browser, school.url)
  await context.unrouteAll()
  await school.close()
  await page.reload()
  await shown(giving(page))
  await context.setOffline(true)
  await page.reload()
  await shown(giving(page))
  await page.close()
  const opened = await context.newPage()
  await opened.goto('/serve?from=home')
  await shown(giving(opened))
  await close()
  await browser.close()
})
