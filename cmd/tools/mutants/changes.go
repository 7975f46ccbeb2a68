package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// changes lists the ways to change a statement of a function, but for those of the
// statements inside of it, which are sites of their own.
func (f *finder) changes(t *ast.FuncType, s ast.Stmt) (list []change) {
	switch s := s.(type) {
	case *ast.ExprStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.DeferStmt, *ast.GoStmt:
		list = append(list, f.replace(s, ""))
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE {
			list = append(list, f.replace(s, ""))
		}
	case *ast.BranchStmt:
		if other := turned[s.Tok]; other != 0 && s.Label == nil {
			list = append(list, f.replace(s, other.String()))
		}
	case *ast.ReturnStmt:
		list = append(list, f.returned(t, s)...)
	case *ast.IfStmt:
		list = append(list, f.replace(s.Cond, "!("+f.text(s.Cond)+")"))
	}
	for _, e := range expressions(s) {
		list = append(list, f.inside(e)...)
	}
	return list
}

// expressions lists a statement's own expressions.
func expressions(s ast.Stmt) []ast.Expr {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return []ast.Expr{s.X}
	case *ast.AssignStmt:
		return s.Rhs
	case *ast.ReturnStmt:
		return s.Results
	case *ast.IfStmt:
		return []ast.Expr{s.Cond}
	case *ast.ForStmt:
		return []ast.Expr{s.Cond}
	case *ast.RangeStmt:
		return []ast.Expr{s.X}
	case *ast.SwitchStmt:
		return []ast.Expr{s.Tag}
	case *ast.CaseClause:
		return s.List
	case *ast.SendStmt:
		return []ast.Expr{s.Value}
	case *ast.DeferStmt:
		return []ast.Expr{s.Call}
	}
	return nil
}

// inside changes operators, numbers and truths in an expression.
func (f *finder) inside(e ast.Expr) (list []change) {
	if e == nil {
		return nil
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if other := turned[n.Op]; other != 0 {
				list = append(list, f.operator(n, other))
			}
		case *ast.BasicLit:
			if k, err := strconv.ParseInt(n.Value, 0, 32); err == nil && n.Kind == token.INT {
				list = append(list, f.replace(n, fmt.Sprint(k+1)))
			}
		case *ast.Ident:
			if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" {
				list = append(list, f.replace(n, other))
			}
		}
		return true
	})
	return list
}

// turned are operators and branches with what they become.
var turned = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.SHL: token.SHR, token.SHR: token.SHL, token.AND: token.OR, token.OR: token.AND,
	token.BREAK: token.CONTINUE, token.CONTINUE: token.BREAK,
}

// returned replaces what a function returns by something else of its type.
func (f *finder) returned(t *ast.FuncType, s *ast.ReturnStmt) (list []change) {
	if t.Results == nil || len(s.Results) != t.Results.NumFields() {
		return nil
	}
	for i, typ := range types(t.Results) {
		value := f.text(s.Results[i])
		if other := otherOf(f.text(typ), value); other != value {
			list = append(list, f.replace(s.Results[i], other))
		}
	}
	return list
}

// types lists the types of a function's results, one for each result.
func types(results *ast.FieldList) (list []ast.Expr) {
	for _, field := range results.List {
		for range max(len(field.Names), 1) {
			list = append(list, field.Type)
		}
	}
	return list
}

// otherOf is a value of a type other than that which an expression has.
func otherOf(typ, value string) string {
	switch typ {
	case "bool":
		return "!(" + value + ")"
	case "int", "int64", "uint64", "float64", "time.Duration":
		return "1 + (" + value + ")"
	case "string":
		return `""`
	}
	if typ == "error" || strings.HasPrefix(typ, "[]") || strings.HasPrefix(typ, "map[") {
		return "nil"
	}
	return value
}

func (f *finder) replace(n ast.Node, text string) change {
	what := fmt.Sprintf("%s → %s", f.text(n), text)
	if text == "" {
		what = "without " + f.text(n)
	}
	return change{f.offset(n.Pos()), f.offset(n.End()), text, strings.Join(strings.Fields(what), " ")}
}

func (f *finder) operator(n *ast.BinaryExpr, other token.Token) change {
	from := f.offset(n.OpPos)
	what := fmt.Sprintf("%s: %s → %s", f.text(n), n.Op, other)
	return change{from, from + len(n.Op.String()), other.String(), strings.Join(strings.Fields(what), " ")}
}
