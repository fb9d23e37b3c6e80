import "./Pages.browser.e2e.test.ts"
