import "./RobotsRules.test.ts"
